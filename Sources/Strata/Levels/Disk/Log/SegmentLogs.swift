import Dispatch

/// The logs in use: one for all caches of a directory in this process.
enum SegmentLogs {
  private static let known = SharedByName()

  /// Returns the log of a directory, which its path without links identifies.
  ///
  /// Callers with different options share the strictest: the smallest capacity, flushing if one
  /// caller wants it, and exclusive use if one caller wants it. Two logs of one directory, which is
  /// possible if a link to it appears later, work like two processes.
  static func at(
    _ directory: String, capacity: Int, isFlushing: Bool = false, isExclusive: Bool = false,
    files: FileSystem = .system
  ) -> SegmentLog {
    let path = DirectoryPath.canonical(DirectoryPath.plain(directory), in: files)
    let new = SegmentLog(
      directory: path, capacity: capacity, isExclusive: isExclusive, files: files,
      background: DispatchQueue.work.worker)
    let log = known.object(named: path, orElse: new)
    log.state.withLock { state in
      // The next write evicts what exceeds the capacity.
      if capacity < state.capacity.bytes {
        state.capacity = Capacity(capacity, longestFile: files.limits().fileLength)
      }
      state.isFlushing = state.isFlushing || isFlushing
      guard isExclusive, !state.isExclusive else { return }
      // The next operation opens the directory again, with the stricter lock.
      state.isExclusive = true
      state.close()
    }
    log.finish()
    return log
  }
}

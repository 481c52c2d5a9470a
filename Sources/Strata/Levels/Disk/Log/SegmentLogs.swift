import Dispatch

/// The logs in use. All caches of a directory in this process share one log.
enum SegmentLogs {
  private static let known = SharedByName()

  /// Returns the log of a directory. The directory's path, with the links above its last component
  /// resolved, identifies the log.
  ///
  /// Callers with different options share the strictest options: the smallest capacity, flushing if
  /// one caller wants it, and exclusive use if one caller wants it. If a link to a directory
  /// appears later, one directory may have two logs. These logs work like two processes.
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
      // The next write evicts the values beyond the capacity.
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

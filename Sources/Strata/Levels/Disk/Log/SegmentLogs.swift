import Dispatch

/// The logs in use. In this process, all caches of a directory share one log.
enum SegmentLogs {
  private static let known = SharedByName()

  /// Returns the log of a directory. The directory's path, with all links resolved except in the
  /// last component, identifies the log. The log uses the smallest capacity that any caller passes,
  /// and is flushing or exclusive if any caller passes `true`. A link that is created later may
  /// lead to a second log of the directory, which works like the log of another process.
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
      // The next write evicts values until the rest fits the new capacity.
      if capacity < state.capacity.bytes {
        state.capacity = Capacity(capacity, longestFile: files.limits().fileLength)
      }
      state.isFlushing = state.isFlushing || isFlushing
      guard isExclusive, !state.isExclusive else { return }
      // The next operation opens the directory again, with an exclusive lock.
      state.isExclusive = true
      state.close()
    }
    log.finish()
    return log
  }
}

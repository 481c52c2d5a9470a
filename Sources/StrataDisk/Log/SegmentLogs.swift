import Dispatch

/// The logs in use. In this process, all caches that use the same directory share one log.
enum SegmentLogs {
  private static let known = SharedByName()

  /// Returns the log of a directory. Resolves symbolic links in the path, except in the last
  /// component. Until `setCapacity` chooses a capacity, the largest that any caller passes is in
  /// effect. Each option that any caller requests is on. A link to the directory that is created
  /// later may lead to a second log. Two logs can share the files of a directory, as two processes
  /// can.
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
      if capacity > state.capacity.bytes, !state.isCapacityFixed { state.ask(for: capacity) }
      state.isFlushing = state.isFlushing || isFlushing
      guard isExclusive, !state.isExclusive else { return }
      // The next operation opens the directory again, with an exclusive lock.
      state.isExclusive = true
      state.close()
    }
    log.finish(mayTrim: false)
    return log
  }
}

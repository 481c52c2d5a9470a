import Dispatch

/// The engines in use: one for all stores of a folder in this process.
enum SegmentLogs {
  private struct Weak {
    weak var log: SegmentLog?
  }

  private static let known = Lock<[Weak]>([])

  /// For what nobody waits for, and for values that are long to read. Concurrent: on a serial one a
  /// get would wait for others.
  static let queue = DispatchQueue(label: "strata.disk", attributes: .concurrent)

  /// Returns the engine of a folder, making it if there is none.
  ///
  /// A folder is known by its path without links, and, once it exists, by device and inode. Those
  /// who ask for different capacities share the smallest, for it keeps every promise. A file system
  /// that does not answer keeps nobody waiting but those who ask for folders on it.
  static func at(
    _ directory: String, capacity: Int, isFlushing: Bool = false, files: FileSystem = .system
  ) -> SegmentLog {
    let path = DiskFolder.canonical(DiskFolder.plain(directory), in: files)
    let identity = try? files.statusAt(path).identity
    let new = SegmentLog(
      directory: path, capacity: capacity, identity: identity, files: files,
      background: { work in queue.async(execute: work) })
    var others: [SegmentLog] = []
    while true {
      let log = engine(like: new, identity, butNot: others)
      // What had this identity may have been removed since, and another folder got it.
      let isSame =
        log.directory == path || (try? files.statusAt(log.directory).identity) == identity
      if isSame {
        log.suit(capacity, isFlushing)
        return log
      }
      others.append(log)
    }
  }

  /// The first engine of this path or identity, or else the new one. No file system is asked here.
  private static func engine(
    like new: SegmentLog, _ identity: FileIdentity?, butNot others: [SegmentLog]
  ) -> SegmentLog {
    let (same, living) = known.withLock { known in
      let living = known.compactMap(\.log)
      let same = living.first { log in
        log.directory == new.directory
          || identity != nil && log.identity.withLock { $0 } == identity
            && !others.contains { $0 === log }
      }
      known = (living + (same == nil ? [new] : [])).map { Weak(log: $0) }
      return (same, living)
    }
    // The last reference to one may be here, and its files close with it.
    withExtendedLifetime(living) {}
    return same ?? new
  }
}

extension SegmentLog {
  /// Takes the smaller of two capacities, for which the next write makes room, and flushes if one
  /// of its users wants that.
  fileprivate func suit(_ capacity: Int, _ isFlushing: Bool) {
    state.withLock { state in
      if capacity < state.capacity.bytes { state.capacity = Capacity(capacity) }
      if isFlushing { state.isFlushing = true }
    }
  }
}

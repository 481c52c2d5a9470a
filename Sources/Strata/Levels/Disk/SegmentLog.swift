import Dispatch
import Foundation

/// A folder of segments to which every process appends: the inside of the disk level.
///
/// All append to the same last segment, so the place of a record orders it among all, and a `get`
/// sees from the segment's length whether anybody has written since. Two locks: `writer` is held
/// for appending, for reading what others appended, and for making and removing segments; `state`,
/// for the index, is taken inside it and held for a moment. Records are read under neither.
final class SegmentLog: Sendable {
  /// The folder's path, without links above the last component.
  let directory: String
  let files: FileSystem
  /// Runs work that no caller waits for.
  let background: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Which folder it was when it was last opened; read by those who look for its engine.
  let identity: Lock<FileIdentity?>
  let state: Lock<State>
  let writer = Lock(Writer())
  /// Keeps what is asked of a key behind its long write.
  let order = KeyOrder<String>()
  /// For long writes, which take turns anyway: so they take one thread, whatever their number.
  let writes = DispatchQueue(label: "strata.disk.writes", target: SegmentLogs.queue)

  /// Makes an engine that shares nothing with others in this process; see `SegmentLogs`.
  init(
    directory: String, capacity: Int, identity: FileIdentity? = nil, files: FileSystem = .system,
    background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.directory = directory
    self.files = files
    self.background = background
    self.identity = Lock(identity)
    state = Lock(State(capacity: Capacity(capacity)))
  }
}

extension SegmentLog {
  /// Stores a value under a key; in force for every get that starts after this returns.
  ///
  /// - Parameters:
  ///   - born: Milliseconds since 1970, now unless told otherwise.
  ///   - deadline: Milliseconds since 1970, never unless told otherwise.
  /// - Returns: How many values were evicted since this was last asked.
  @discardableResult
  func set(
    _ value: Data, for key: String, born: Int64? = nil, deadline: Int64 = .max
  ) throws(DiskError) -> Int {
    let outcome = CanonicalKey.withBytes(of: key) { key in
      value.withUnsafeBytes { value in
        // Summed before the lock is taken.
        let draft = Draft(
          .set, key: key, value: value, born: born ?? files.now(), deadline: deadline)
        let outcome = Result { () throws(DiskError) in try write(draft) }.map { draft.total }
        guard case .failure(.valueTooLarge) = outcome else { return outcome }
        // The value that was there is no longer the key's.
        return Result { () throws(DiskError) in
          try write(Draft(.remove, key: key, born: files.now()))
        }.flatMap { outcome }
      }
    }
    let length = try outcome.get()
    let (evicted, isTrimWanted) = state.withLock { state in
      defer { state.unreported = 0 }
      state.counts.setBytes &+= length
      return (state.unreported, state.isTrimToGoOn)
    }
    if isTrimWanted { trimInBackground() }
    return evicted
  }

  /// Makes a key absent; in force for every get that starts after this returns.
  func remove(_ key: String) throws(DiskError) {
    try CanonicalKey.withBytes(of: key) { key in
      Result { () throws(DiskError) in
        try write(Draft(.remove, key: key, born: files.now()))
      }
    }.get()
    // A trim may have stopped to let this go first.
    if state.withLock({ $0.isTrimToGoOn }) { trimInBackground() }
  }

  /// Removes all values; in force for every get that starts after this returns.
  func removeAll() throws(DiskError) {
    try attempt(bytes: RecordHeader.length) { writer throws(FileSystemError) in
      try clear(&writer)
    }
  }

  private func write(_ draft: Draft) throws(DiskError) {
    var isWritten = false
    if state.withLock({ draft.total <= $0.capacity.longestRecord }) {
      try attempt(bytes: draft.total) { writer throws(FileSystemError) in
        isWritten = try write(draft, &writer)
      }
    }
    guard !isWritten else { return }
    guard draft.header.kind == .remove else {
      throw .valueTooLarge(bytes: draft.total, capacity: state.withLock { $0.capacity.bytes })
    }
    // A remove is known by the hash alone, and any folder holds that much.
    let short = Draft(removing: draft.header.hash, born: draft.header.born)
    try attempt(bytes: short.total) { writer throws(FileSystemError) in
      _ = try write(short, &writer)
    }
  }
}

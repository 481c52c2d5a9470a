import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
  /// Of values so long that they are written on another thread, and what is asked of their keys.
  let order = KeyOrder<String>()

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

  /// What only its holder may change or use: how segments are written.
  struct Writer {
    var folder: OpenFile?
    /// Open for appending, with the number of its segment.
    var appender: (segment: UInt64, file: OpenFile)?
    /// The highest number ever seen: none is used twice.
    var highest: UInt64 = 0
    /// How far the oldest segment has been searched for what is worth keeping.
    var sweep = Sweep()
    var rest = Rest()
    var marks = Marks()
  }

  /// Numbers that tell a record from all others of its content, or one would be taken for the
  /// other's: any start, since to ask the system for each would take it a call.
  struct Marks {
    private var last = UInt64.random(in: 0 ... .max)

    mutating func next() -> UInt64 {
      last &+= 1
      return last
    }
  }

  enum Answer {
    case miss
    case value(StoredValue)
    case long(Hit)
  }

  /// Where a value was found: enough to read it without any lock.
  struct Hit: Sendable {
    let segment: Segment
    let offset: Int
    let length: Int
    fileprivate let key: [UInt8]
    fileprivate let hash: UInt64
    /// When it was asked for: later it may have passed its deadline, and is the answer all the
    /// same.
    fileprivate let moment: Int64
  }
}

extension SegmentLog {
  /// Returns the value of a key with its birth and deadline, or `nil` if it has none that is alive.
  func value(for key: String) -> StoredValue? {
    guard case .value(let value) = answer(for: key, readingUpTo: .max) else { return nil }
    return value
  }

  /// Looks up a key and reads its value, unless the record is longer than so many bytes: that is to
  /// be read elsewhere.
  ///
  /// - Parameter moment: When values are to be alive; now unless told otherwise.
  func answer(
    for key: String, readingUpTo longest: Int, at moment: Int64? = nil
  ) -> Answer {
    CanonicalKey.withBytes(of: key) { bytes in
      let (hash, now) = (RecordHeader.hash(of: bytes), files.now())
      let moment = moment ?? now
      guard let (segment, offset, length) = find(hash, at: moment, now) else { return .miss }
      guard length <= longest else {
        return .long(
          Hit(
            segment: segment, offset: offset, length: length, key: Array(bytes), hash: hash,
            moment: moment))
      }
      guard
        let value = segment.read(at: offset, length: length, key: bytes, hash: hash, now: moment)
      else {
        countMiss()
        return .miss
      }
      return .value(value)
    }
  }

  func read(_ hit: Hit) -> StoredValue? {
    let value = hit.key.withUnsafeBytes { key in
      hit.segment.read(
        at: hit.offset, length: hit.length, key: key, hash: hit.hash, now: hit.moment)
    }
    if value == nil { countMiss() }
    return value
  }

  /// What the index took for a hit was none: damaged, or past its deadline within a second.
  private func countMiss() {
    state.withLock { state in
      state.counts.hits &-= 1
      state.counts.misses &+= 1
    }
  }

  typealias Found = (segment: Segment, offset: Int, length: Int)

  /// Looks into the index, after catching up if anybody has written since.
  func find(_ hash: UInt64, at moment: Int64, _ now: Int64) -> Found? {
    let glance: Found?? = state.withLock { state in
      guard state.isUpToDate(files, directory, now) else { return nil }
      return .some(state.look(hash, moment))
    }
    if let glance { return glance }
    if isLastSealed(at: now) { return state.withLock { $0.look(hash, moment) } }
    return writing { writer in
      // If this fails, the index was emptied, or is that of a folder in which nobody can write.
      try? refresh(&writer)
      return state.withLock { $0.look(hash, moment) }
    }
  }

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
      return (state.unreported, state.isTrimWanted && state.isTight)
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

  /// Runs something under the lock of the writers, before whatever only makes room.
  private func writing<Result, Failure: Error>(
    _ body: (inout Writer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let writer = writer.acquireIfFree() {
      defer { self.writer.giveBack() }
      return try body(&writer.pointee)
    }
    state.withLock { $0.waiting += 1 }
    return try writer.withLock { writer throws(Failure) in
      state.withLock { $0.waiting -= 1 }
      return try body(&writer)
    }
  }

  /// Runs a change under the lock of the writers and says in words what failed.
  func attempt(
    bytes: Int, _ change: (inout Writer) throws(FileSystemError) -> Void
  ) throws(DiskError) {
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        try writing(change)
      } catch  where error.code == ENOENT {
        // The folder has gone since it was last looked at: as if that had been seen in time.
        state.withLock { $0.checkedAt = .min }
        try writing(change)
      }
    } catch {
      throw error.isFull
        ? .full(directory: directory, bytes: bytes)
        : .unavailable(directory: directory, operation: error.operation, code: error.code)
    }
  }
}

import Dispatch
import Foundation
import Synchronization

/// A record that a lookup found in the index, and the time of the lookup.
struct Found {
  let segment: Segment
  let entry: Entry
  let time: Int64
}

/// A log whose segments are files in a directory that several processes may share.
///
/// All processes append to the newest segment (the active one) without a lock. So the offsets order
/// the records: of two records in a segment, the one with the larger offset is the newer. A process
/// takes the directory's segment lock only to add or remove segments. Within a process, `writer`
/// serializes writes, and `state` guards the index. A thread that needs both takes `writer` before
/// `state`. Reading a value needs no lock.
final class SegmentLog: Sendable {
  let files: FileSystem
  /// The directory's path, with symbolic links resolved in every component except the last.
  let path: String
  /// A closure that runs work in the background.
  let background: @Sendable (@escaping @Sendable () -> Void) -> Void
  let state: Lock<LogState>
  let writer = Lock(Writer())
  /// The number of operations that wait for the writer lock. While operations wait, no trim step
  /// begins, because it could take the lock before the waiting threads wake.
  let waitingWrites = Atomic(0)
  /// The order of the operations: each waits for the earlier writes to its key.
  let queue = KeyedQueue()
  /// The work in the background.
  let work: RunningWork
  /// Makes sure that the log reports only once that the directory can't be used.
  let notice = Notice()
  /// A serial queue for writes that don't run on the caller's thread.
  let writes = DispatchQueue(label: "strata.disk.writes", target: .work)

  /// Creates a log that doesn't share state with other logs of this process. See `SegmentLogs`.
  init(
    directory path: String, capacity: Int, isExclusive: Bool = false, files: FileSystem = .system,
    background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    let work = RunningWork(.steps, "disk")
    (self.path, self.files, self.work) = (path, files, work)
    self.background = { job in
      let number = work.begin()
      background {
        job()
        if let number { work.end(number) }
      }
    }
    state = Lock(LogState(path: path, capacity: capacity, isExclusive: isExclusive, files: files))
  }

  /// Brings the index up to date, and returns the newest record of a key. Returns `nil` if the
  /// index can't be updated, if the key has no value, or if the record has expired at `time`. The
  /// time is in milliseconds since 1970, and by default it's the current time.
  ///
  /// - Parameter counts: Whether the lookup counts in the statistics and for evictions.
  func find(
    _ key: UnsafeRawBufferPointer, at time: Int64? = nil, counts: Bool = true
  ) -> Found? {
    let (hash, now) = (RecordHeader.hash(of: key), files.now())
    let (found, isCurrent) = state.withLock { state in
      let isCurrent = state.isCurrent(at: now)
      let isKnown = isCurrent || (try? state.refresh(at: now)) != nil && state.tail != .damaged
      let found = isKnown ? state.find(hash, at: time ?? now, visits: counts) : nil
      if counts {
        state.counts.gets &+= 1
        if found != nil { state.counts.hits &+= 1 }
      }
      return (found, isCurrent)
    }
    // A get never frees space, because the capacity of a process that only reads may be small.
    if !isCurrent { finish(mayTrim: false) }
    return found
  }

  /// Reads the value of a record. When it's damaged or has expired, counts a miss, and returns
  /// `nil`.
  func read(
    _ found: Found, of key: UnsafeRawBufferPointer, counts: Bool = true
  ) -> StoredValue? {
    let value = found.segment.read(found.entry, key: key, at: found.time)
    if value == nil, counts { state.withLock { $0.counts.hits &-= 1 } }
    return value
  }

  /// Stores a value under a key. Once this call has returned, every new get sees the value. By
  /// default, it's created now, and has no deadline. `created` and `deadline` are in milliseconds
  /// since 1970. Returns the number of evictions since the previous `set`.
  @discardableResult
  func set(
    _ value: Data, for key: String, created: Int64? = nil, deadline: Int64 = .max
  ) throws(DiskError) -> Int {
    let outcome = CanonicalKey.withBytes(of: key) { key in
      value.withUnsafeBytes { value in
        Result { () throws(DiskError) in
          try set(value, for: key, created: created, deadline: deadline)
        }
      }
    }
    let length = try outcome.get()
    return state.withLock { state in
      defer { state.reportedEvictions = state.counts.evictions }
      state.counts.setBytes &+= length
      return state.counts.evictions - state.reportedEvictions
    }
  }

  /// Writes the bytes of a key and a value, and returns the record's length. It isn't inlined,
  /// because the compiler would copy its code for each representation of `Data`.
  @inline(never)
  private func set(
    _ value: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer, created: Int64?,
    deadline: Int64
  ) throws(DiskError) -> Int {
    let length = RecordHeader.overhead + key.count + value.count
    let capacity = state.withLock { $0.capacity }
    guard length <= capacity.longestRecord else {
      // As in the other levels, a value that is too large removes the previous one.
      try remove(RecordHeader.hash(of: key))
      throw .valueTooLarge(bytes: length, capacity: capacity.bytes)
    }
    let record = PendingRecord(
      .set, key: key, value: value, created: created ?? files.now(), deadline: deadline)
    try attempt(bytes: length) { writer throws(FileError) in
      try freeing(length, &writer) { writer throws(FileError) in try write(record, &writer) }
    }
    return length
  }

  /// Removes a key. Once this call has returned, every new get of the key misses.
  func remove(_ key: String) throws(DiskError) {
    try remove(CanonicalKey.withBytes(of: key, RecordHeader.hash))
  }

  /// Removes a key by its hash. Writes a record even for an absent key, because another process may
  /// still append a copy of its value. The record takes 72 bytes, so it fits any capacity. When the
  /// volume has no space for it, removes all values, and counts the values of other keys as
  /// evictions.
  private func remove(_ hash: UInt64) throws(DiskError) {
    try attempt { writer throws(FileError) in
      do throws(FileError) {
        try freeing(RecordHeader.overhead, &writer) { writer throws(FileError) in
          try write(PendingRecord(.remove, hash: hash, created: files.now()), &writer)
        }
      } catch  where error.isFull {
        // There's no space for the record, but the removal of all values needs none.
        let others = state.withLock { state in
          state.index.live - (state.find(hash, at: files.now(), visits: false) == nil ? 0 : 1)
        }
        try removeUnreadable(&writer)
        state.withLock { $0.counts.evictions &+= max(0, others) }
      }
    }
  }

  /// Removes all keys. Once this call has returned, every new get misses.
  func removeAll() throws(DiskError) {
    try attempt { writer throws(FileError) in try clear(&writer) }
  }

  /// Closes all files. When the log flushes its full segments, also flushes the active one. The
  /// next operation opens the directory again.
  func close() {
    writer.withLock { writer in
      let (unflushed, retired) = state.withLock { state in
        let unflushed = state.isFlushing ? state.watched?.file : nil
        state.close()
        return (unflushed, state.takeRetired())
      }
      withExtendedLifetime(retired) { if let unflushed { try? files.sync(unflushed) } }
      writer.appender = nil
    }
  }

  /// Opens the directory and creates it if it doesn't exist.
  func open() throws(DiskError) {
    try attempt(mayTrim: false) { writer throws(FileError) in try openForWriting(&writer) }
  }

  /// Runs a change while holding the writer lock, and throws any failure as a `DiskError`. `bytes`
  /// is the length of the record for a `set`, and 0 for other changes.
  func attempt(
    bytes: Int = 0, mayTrim: Bool = true,
    _ change: (inout Writer) throws(FileError) -> Void
  ) throws(DiskError) {
    defer { finish(mayTrim: mayTrim) }
    for attempt in 1... {
      waitingWrites.wrappingAdd(1, ordering: .relaxed)
      do throws(FileError) {
        return try writer.withLock { writer throws(FileError) in
          waitingWrites.wrappingSubtract(1, ordering: .relaxed)
          return try change(&writer)
        }
      } catch {
        // Tries again if the directory was removed, or if an error in another thread emptied the
        // index.
        if attempt < 3, error.isMissing || error == .interrupted {
          state.withLock { $0.checkedAt = .min }
          continue
        }
        throw error.isFull
          ? .full(directory: DirectoryPath.readable(path), bytes: bytes) : unavailable(error)
      }
    }
  }

  /// Runs a change that frees space.
  func change(_ change: (inout Writer) throws(FileError) -> Void) throws(DiskError) {
    try attempt(mayTrim: false, change)
  }

  /// Reads the state, and throws any failure as a `DiskError`.
  func read(_ body: (inout LogState) throws(FileError) -> Void) throws(DiskError) {
    do throws(FileError) {
      try state.withLock { state throws(FileError) in try body(&state) }
    } catch { throw unavailable(error) }
  }

  private func unavailable(_ error: FileError) -> DiskError {
    .unavailable(
      directory: DirectoryPath.readable(path), operation: error.operation, code: error.code)
  }

  /// Why the directory can't be opened, or `nil` if an earlier call has returned a reason. But a
  /// directory that doesn't exist yet is no reason, because the first `set` creates it.
  var newFailure: DiskError? {
    guard let failure = state.withLock({ $0.failure }), !failure.isMissing, notice.take() else {
      return nil
    }
    return unavailable(failure)
  }

  /// Runs the remaining work of an operation in the background: closes the files of removed
  /// segments, and frees space if it's necessary and allowed.
  func finish(mayTrim: Bool = true) {
    let (retired, needsTrim) = state.withLock { state in
      let isIdle = mayTrim && waitingWrites.load(ordering: .relaxed) == 0
      let needsTrim = isIdle && state.isTrimWanted && state.needsTrim
      if needsTrim { state.isTrimWanted = false }
      return (state.takeRetired(), needsTrim)
    }
    if !retired.isEmpty { background { withExtendedLifetime(retired) {} } }
    if needsTrim { background { [self] in trimInBackground() } }
  }
}

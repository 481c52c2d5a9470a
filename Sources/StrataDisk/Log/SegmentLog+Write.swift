import Foundation

extension SegmentLog {
  /// The state that the writer lock guards.
  struct Writer {
    /// The ID, the identity, and the open file of the active segment.
    var appender: (segment: UInt64, identity: [UInt64], file: OpenFile)?
    /// The unique number in the `mark` of the last written record. It makes the checksums of
    /// records with equal contents differ.
    var lastMark = UInt64.random(in: 0 ... .max)
    /// The time when a wait for the segment lock last timed out, in milliseconds since 1970.
    var lockedOutAt: Int64 = .min
    /// The number of consecutive writes that failed because the segments were unreadable.
    var unreadable = 0
    /// The segment to evict, the next entry to check, the number of copied bytes (at most half of a
    /// segment), and whether the segment's file has been removed.
    var eviction: (segment: UInt64, next: Int, kept: Int, isRemoved: Bool) = (0, 0, 0, false)
  }

  /// The position of the bytes that one append wrote.
  struct Landing {
    let segment: UInt64
    var range = 0..<0
    /// Whether the bytes are a valid part of the log.
    var isValid = false
  }

  /// Writes a record to the active segment, or to the next segment if the active segment has ended.
  func write(_ record: PendingRecord, _ writer: inout Writer) throws(FileError) {
    var record = record
    writer.lastMark &+= 1
    record.header.mark = writer.lastMark
    for _ in 0..<100 {
      try openForWriting(&writer)
      // A `clear` record doesn't need `makeRoom`, because the record itself frees space.
      if record.header.kind != .clear { try makeRoom(for: record.header.total, &writer) }
      let landing = try append(record, &writer)
      if landing.isValid { return }
      try endSegment(after: landing, &writer)
    }
    throw .interrupted
  }

  /// Removes all values. Writes a `clear` record or, if that fails, removes all segments.
  func clear(_ writer: inout Writer) throws(FileError) {
    do {
      try write(PendingRecord(.clear, created: files.now()), &writer)
    } catch  where !error.isForbidden && !error.isLocked {
      return try removeUnreadable(&writer)
    }
    do {
      try removeCleared(&writer)
    } catch  where error.isFull {
      // There's no space for the next segment, so removes all segments, whose records are all
      // cleared.
      try? removeUnreadable(&writer)
    } catch {}  // A later eviction tries again.
    releaseRetired()
  }

  /// Removes the segments that contain only cleared records.
  private func removeCleared(_ writer: inout Writer) throws(FileError) {
    try withSegmentLock(waiting: 0, &writer) { directory, writer throws(FileError) in
      let id = state.withLock { $0.index.cleared.segment }
      guard state.withLock({ $0.index.activePosition?.segment.id == id }) else { return }
      try endSegment(in: directory, sealingFor: .max >> 1, &writer)
      while let oldest = state.withLock({ $0.index.oldestSealed?.id }), oldest <= id {
        try evict(oldest, in: directory)
      }
    }
  }

  /// Appends records to the active segment in one call, and applies them to the index. Throws if
  /// the caller passes the ID of a segment that isn't active.
  func append(
    _ headers: some Collection<RecordHeader>, in segment: UInt64? = nil, _ writer: inout Writer,
    write: (OpenFile, _ segment: UInt64, _ read: Int) throws(FileError) -> Range<Int>
  ) throws(FileError) -> Landing {
    let (active, known, isSealed, file) = try appender(&writer)
    if let segment, segment != active.id { throw .interrupted }
    // Readers ignore a record after a seal, even if the record is complete.
    guard !isSealed else { return Landing(segment: active.id) }
    let range: Range<Int>
    do throws(FileError) { range = try write(file, active.id, known) } catch {
      // Although the append has failed, the records may be in the file.
      state.withLock { $0.watched = nil }
      throw error
    }
    // When this check fails, the write must not be repeated, because other processes may have read
    // the records.
    let isInPlace = (try? active.isInPlace) ?? true
    if isInPlace, state.withLock({ $0.publish(headers, active, range) }) {
      return Landing(segment: active.id, range: range, isValid: true)
    }
    // By now, the segment may have ended, or been removed. Only a scan up to the last appended
    // record can show whether the records are valid.
    let isDamaged = range.lowerBound < known
    state.withLock { state in
      state.watched = nil
      if isDamaged { state.becomeUnknowable(active) }
    }
    var (isReached, isEnded) = (false, false)
    let end = isInPlace ? range.upperBound : try active.file.end()
    let tail = try active.scan(from: known, to: end) { header, offset in
      isReached = isReached || offset + header.total == range.upperBound
      isEnded = offset >= range.upperBound && header.kind == .seal
    }
    let isValid = !isDamaged && isReached
    // Before a process removes a valid segment, it ends the segment with a seal, or with bytes that
    // aren't a record. Without such an end, another program has removed, replaced, or renamed the
    // file.
    if isValid, !isInPlace, !isEnded, tail != .damaged {
      state.withLock { $0.checkedAt = .min }
      throw .interrupted
    }
    return Landing(segment: active.id, range: range, isValid: isValid)
  }

  /// Appends a record to the active segment, and applies it to the index.
  func append(
    _ record: PendingRecord, in segment: UInt64? = nil, _ writer: inout Writer
  ) throws(FileError) -> Landing {
    try append(CollectionOfOne(record.header), in: segment, &writer, write: record.append)
  }

  /// Returns the active segment, the end of its known records, whether it's sealed, and its file,
  /// opened for appending.
  func appender(
    _ writer: inout Writer
  ) throws(FileError) -> (segment: Segment, known: Int, isSealed: Bool, file: OpenFile) {
    let (directory, active) = state.withLock { ($0.directory, $0.index.activePosition) }
    guard let directory, let (segment, known, isSealed) = active else { throw .interrupted }
    let identity = segment.identity
    // When the directory or the file was replaced by a copy, the name is the same, but not the
    // file.
    if let (id, opened, file) = writer.appender, id == segment.id, opened == identity {
      return (segment, known, isSealed, file)
    }
    let file = try OpenFile(segment.name, .append, in: directory.descriptor, files)
    guard try file.status().identity == identity else { throw .interrupted }
    writer.appender = (segment.id, identity, file)
    return (segment, known, isSealed, file)
  }

  /// Brings the index up to date, and makes sure that there is a segment to append to.
  func openForWriting(_ writer: inout Writer) throws(FileError) {
    let now = files.now()
    if state.withLock({ $0.isCurrent(at: now) }) { return }
    do throws(FileError) {
      do throws(FileError) { try refresh() } catch  where error.isMissing {
        try DirectoryPath.make(path, in: files)
        try refresh()
      }
      writer.unreadable = 0
    } catch {
      // When the segments were unreadable five times in a row, starts a new log.
      writer.unreadable += error.isUnavailability || error.isLocked || error.isMissing ? 0 : 1
      guard writer.unreadable >= 5 else { throw error }
      writer.unreadable = 0
      try removeUnreadable(&writer)
      try refresh()
    }
    // When the last record is incomplete, the segment doesn't end, because the record's write may
    // be in progress. The next append waits for this write. A later scan shows whether all records
    // are complete.
    let hasEnded = state.withLock { state in
      state.tail == .damaged || state.tail == .torn || state.index.activePosition?.isSealed != false
    }
    if hasEnded {
      try endSegment(&writer)
    }
  }

  /// Brings the index up to date.
  func refresh() throws(FileError) {
    let now = files.now()
    try state.withLock { state throws(FileError) in try state.refresh(at: now) }
  }

  /// Calls `body` while holding the segment lock, for which it waits at most one second by default.
  /// With `isReading`, updates the index first.
  func withSegmentLock<Result>(
    waiting wait: Int = longestWait, isReading: Bool = true, _ writer: inout Writer,
    _ body: (LogDirectory, inout Writer) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let (opened, isExclusive) = state.withLock { ($0.directory, $0.isExclusive) }
    let directory =
      if let opened { opened } else {
        try LogDirectory(path, isExclusive: isExclusive, in: files)
      }
    try lock(directory, waiting: wait, &writer)
    defer { try? files.lock(directory.descriptor, LOCK_UN) }
    if isReading { try refresh() }
    return try body(directory, &writer)
  }

  /// Removes all segments, even those that can't be read. This needs no space. Before it returns,
  /// the space of all segments is free.
  func removeUnreadable(_ writer: inout Writer) throws(FileError) {
    try withSegmentLock(isReading: false, &writer) { directory, _ throws(FileError) in
      try removeAllSegments(in: directory)
    }
    forget(&writer)
  }

  /// Closes the files of all segments after their removal, because a removed file takes space as
  /// long as it's open.
  func forget(_ writer: inout Writer) {
    writer.appender = nil
    state.withLock { $0.close() }
    releaseRetired()
  }

  func releaseRetired() { _ = state.withLock { $0.takeRetired() } }

  /// The default maximum wait for the segment lock, in milliseconds.
  static let longestWait = 1_000

  /// Takes the segment lock. Fails with `EWOULDBLOCK` if another process holds it too long, for
  /// example because that process is suspended. For one second after such a failure, writes don't
  /// wait for the lock.
  private func lock(
    _ directory: LogDirectory, waiting wait: Int, _ writer: inout Writer
  ) throws(FileError) {
    let isLockedOut = 0..<1_000 ~= files.now() &- writer.lockedOutAt
    var waited = 0
    while true {
      do { return try files.lock(directory.descriptor, LOCK_EX | LOCK_NB) } catch {
        guard error.isLocked, waited < wait * 1_000, !isLockedOut else {
          if error.isLocked, waited > 0 { writer.lockedOutAt = files.now() }
          throw error
        }
        let step = waited < 2_000 ? 100 : 1_000
        files.pause(UInt32(step))
        waited += step
      }
    }
  }
}

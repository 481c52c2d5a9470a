import Foundation

extension SegmentLog {
  /// Makes space for a record in the active segment, and keeps the log within its capacity.
  func makeRoom(for length: Int = 0, _ writer: inout Writer) throws(FileError) {
    if length > 0, state.withLock({ $0.isFull(for: length) }) {
      try endSegment(sealingFor: length, &writer)
    }
    guard state.withLock({ $0.isOverfull(with: length) }) else { return }
    let limit = state.withLock { state in
      state.measure()
      return state.capacity.limit
    }
    // Even without any value, the volume wouldn't have enough room.
    guard length <= limit else { throw FileError(operation: "write", code: ENOSPC) }
    while state.withLock({ $0.isOverfull(with: length) }) { try trimStep(&writer) }
  }

  /// Frees space in the background, one step at a time, so a `set` waits for at most one step.
  func trimInBackground() {
    writer.withLock { writer in
      do throws(FileError) {
        try openForWriting(&writer)
        state.withLock { $0.measure() }
        if state.withLock({ $0.needsTrim }) { try trimStep(waiting: 0, &writer) }
        state.withLock { $0.isTrimWanted = true }
      } catch {}  // The log tries again after it has created the next segment.
    }
    finish()
  }

  /// Removes the files of the given segment and of all older ones. Then removes the segment's
  /// entries from the index, in batches, so gets don't wait long. Returns the number of removed
  /// values.
  @discardableResult
  func evict(_ segment: UInt64, in directory: LogDirectory) throws(FileError) -> Int {
    try removeSegments(before: segment + 1, in: directory)
    var evicted = 0
    while let live = state.withLock({ $0.forgetSome(of: segment) }) { evicted += live }
    return evicted
  }

  /// The soft limit on the bytes that a trim step copies. Every step delays this process's writes.
  static let step = 16 << 10

  /// One step of an eviction. The first steps copy values of the oldest segment to the active one,
  /// but only values that a get has read. They end early if space runs out. Of these steps, the
  /// last reads its values, removes the segment's file, and then appends the copies. After that,
  /// each step removes some of the segment's entries from the index. When another process writes a
  /// key, its write wins against the copy.
  func trimStep(waiting wait: Int = longestWait, _ writer: inout Writer) throws(FileError) {
    if writer.eviction.isRemoved,
      let live = state.withLock({ $0.forgetSome(of: writer.eviction.segment) })
    {
      return state.withLock { $0.counts.evictions &+= live }
    }
    try withSegmentLock(waiting: wait, &writer) { directory, writer throws(FileError) in
      guard let (_, id) = state.withLock({ $0.index.oldestSealed }) else {
        // The active segment can't be evicted, so this step only ends it.
        return try endSegment(in: directory, sealingFor: .max >> 1, &writer)
      }
      if writer.eviction.segment != id { writer.eviction = (id, 0, 0, false) }
      var (copies, isLast) = nextCopies(&writer)
      let space = copies.reduce(0) { $0 + $1.header.total + Entry.size }
      if !copies.isEmpty { try? endSegment(in: directory, sealingFor: space, &writer) }
      // In one atomic step, discards copies of replaced values, and gets the end offset of the
      // known records.
      let active = state.withLock { state -> (UInt64, Int)? in
        guard let (slot, oldest) = state.index.oldestSealed, oldest == id else { return nil }
        copies.removeAll { !state.index.isNewest($0.entry, in: slot) }
        isLast = isLast || state.isOverfull(with: space)
        return state.index.activePosition.map { ($0.segment.id, $0.known) }
      }
      guard let (segment, mark) = active else { return }
      if isLast {
        try removeSegments(before: id + 1, in: directory)
        writer.eviction.isRemoved = true
      }
      if !copies.isEmpty { _ = try? append(copies, in: segment, mark: mark, &writer) }
    }
  }

  /// A value to copy.
  typealias Copy = (entry: Entry, header: RecordHeader, bytes: [UInt8])

  /// Appends copies to the active segment.
  ///
  /// - Parameter mark: The end of the records that this process had read when it chose the copies.
  func append(
    _ copies: [Copy], in segment: UInt64, mark: Int, _ writer: inout Writer
  ) throws(FileError) -> Landing {
    var bytes: [UInt8] = []
    let headers = copies.map { $0.header.copy($0.bytes, to: &bytes, mark: mark, in: segment) }
    return try append(headers, in: segment, &writer) { file, _, _ throws(FileError) in
      try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
        try file.append(RecordParts(head: UnsafeRawBufferPointer(bytes)))
      }
    }
  }

  /// Returns the next values to copy from the oldest segment: intact, unexpired values that a get
  /// has read. `isLast` is `true` if the segment has no more of them, or if the log has no space
  /// for more copies.
  private func nextCopies(_ writer: inout Writer) -> ([Copy], isLast: Bool) {
    let found = state.withLock { state -> (Segment, [Entry], Bool)? in
      let oldest = state.index.oldestSealed
      guard let (slot, id) = oldest, id == writer.eviction.segment else { return nil }
      let longest = state.capacity.segment / 2 - writer.eviction.kept
      let step = min(SegmentLog.step, state.capacity.segment / 4)
      let hasSpace = !state.isFull(for: step) && !state.isOverfull(with: step)
      let most = hasSpace || state.capacity.spare > 0 ? step : longest
      let entries = state.index.visited(most, longest, from: &writer.eviction.next, in: slot)
      let isLast = !hasSpace || writer.eviction.next >= state.index.entries(of: slot)
      return (state.index.segment(slot), longest > 0 ? entries : [], isLast)
    }
    guard let (segment, entries, isLast) = found else { return ([], false) }
    let now = files.now()
    let copies = entries.compactMap { entry in try? copy(of: entry, in: segment, at: now) ?? nil }
    writer.eviction.kept += copies.reduce(0) { $0 + $1.header.total }
    return (copies, isLast)
  }

  /// Reads a value to copy it. Returns `nil` if the value is damaged or has expired. Throws if the
  /// file can't be read.
  func copy(of entry: Entry, in segment: Segment, at now: Int64) throws(FileError) -> Copy? {
    guard !entry.isExpired(at: now) else { return nil }
    let length = Int(entry.length) - RecordHeader.endLength
    let bytes = try segment.bytes(from: Int(entry.offset), count: length)
    guard let header = bytes.withUnsafeBytes({ RecordHeader(intact: $0, in: segment.id) }),
      header.isValue(at: now), header.hash == entry.hash
    else { return nil }
    return (entry, header, bytes)
  }
}

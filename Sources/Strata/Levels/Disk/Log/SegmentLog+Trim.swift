extension SegmentLog {
  /// Makes space for a record in the active segment, and for the segment in the directory.
  func makeRoom(for length: Int = 0, _ writer: inout Writer) throws(FileError) {
    if length > 0, state.withLock({ $0.isFull(for: length) }) {
      try endSegment(sealingFor: length, &writer)
    }
    while state.withLock({ $0.isOverfull(with: length) }) { try trimStep(&writer) }
  }

  /// Frees space in the background, one step at a time, so that a set waits for at most one step.
  func trimInBackground() {
    writer.withLock { writer in
      do throws(FileError) {
        try openForWriting(&writer)
        if state.withLock({ $0.needsTrim }) { try trimStep(waiting: 0, &writer) }
        state.withLock { $0.isTrimWanted = true }
      } catch {}  // Tries again after the next segment is created.
    }
    finish()
  }

  /// Evicts the oldest segment and all its values. Returns `false` if there is only one segment.
  func evictOldest(_ writer: inout Writer) throws(FileError) -> Bool {
    let isEvicted = try withSegmentLock(&writer) { directory, _ throws(FileError) in
      guard let (_, id) = state.withLock({ $0.index.oldestSealed }) else { return false }
      let evicted = try evict(id, in: directory)
      state.withLock { $0.counts.evictions &+= evicted }
      return true
    }
    // Closes the file now, because the volume frees the space only then.
    withExtendedLifetime(state.withLock { $0.takeRetired() }) {}
    return isEvicted
  }

  /// Removes the files of the oldest segment and of all earlier segments. Then removes the
  /// segment's entries from the index, a few at a time, so gets don't wait.
  ///
  /// - Returns: The number of removed values.
  @discardableResult
  func evict(_ segment: UInt64, in directory: LogDirectory) throws(FileError) -> Int {
    try removeSegments(before: segment + 1, in: directory)
    var evicted = 0
    while let live = state.withLock({ $0.forgetSome(of: segment) }) { evicted += live }
    return evicted
  }

  /// The maximum number of bytes that one step copies. Other writes wait during a step.
  private static let step = 16 << 10

  /// Copies some values of the oldest segment that gets have read. Evicts the segment with its last
  /// copies, or as soon as there is no space for more copies.
  ///
  /// Other processes may write at the same time, because a copy is void if any process has written
  /// its key after the mark.
  func trimStep(
    waiting wait: Int = longestWait, _ writer: inout Writer
  ) throws(FileError) {
    try withSegmentLock(waiting: wait, &writer) { directory, writer throws(FileError) in
      guard let (_, id) = state.withLock({ $0.index.oldestSealed }) else {
        // The active segment can't be evicted, so this ends it first.
        return try endSegment(in: directory, sealingFor: .max >> 1, &writer)
      }
      if writer.eviction.segment != id { writer.eviction = (id, 0, 0) }
      var (copies, isLast) = nextCopies(&writer)
      let space = copies.reduce(0) { $0 + $1.header.total + Entry.size }
      if !copies.isEmpty { try? endSegment(in: directory, sealingFor: space, &writer) }
      // One critical section reads the mark and checks that the values are the newest of their
      // keys.
      let active = state.withLock { state -> (UInt64, Int)? in
        guard let (slot, oldest) = state.index.oldestSealed, oldest == id else { return nil }
        copies.removeAll { !state.index.isNewest($0.entry, in: slot) }
        isLast = isLast || state.isOverfull(with: space)
        return state.index.activePosition.map { ($0.segment.id, $0.known) }
      }
      guard let (segment, mark) = active else { return }
      let evicted = isLast ? try evict(id, in: directory) : 0
      let kept = copies.prefix { copy in
        copy.bytes.withUnsafeBytes { bytes in
          let record = PendingRecord(copying: copy.header, bytes, mark: mark)
          return (try? append(record, in: segment, &writer))?.isValid == true
        }
      }.count
      state.withLock { $0.counts.evictions &+= max(0, evicted - kept) }
    }
  }

  private typealias Copy = (entry: Entry, header: RecordHeader, bytes: [UInt8])

  /// Returns the next values to copy from the oldest segment: intact, unexpired values that a get
  /// has read. Also returns whether these are the last, because the segment has no more such values
  /// or there is no space for more.
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
    let copies = entries.compactMap { entry -> Copy? in
      let length = Int(entry.length) - RecordHeader.endLength
      guard
        !entry.isExpired(at: now),
        let bytes = try? segment.bytes(from: Int(entry.offset), count: length),
        let header = bytes.withUnsafeBytes({ RecordHeader(intact: $0, in: segment.id) }),
        header.isValue(at: now), header.hash == entry.hash
      else { return nil }
      return (entry, header, bytes)
    }
    writer.eviction.kept += copies.reduce(0) { $0 + $1.header.total }
    return (copies, isLast)
  }
}

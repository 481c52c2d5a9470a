import Foundation

extension SegmentLog {
  /// Changes the capacity, and evicts the oldest values until the log fits it.
  func setCapacity(_ bytes: Int) throws(DiskError) {
    try attempt { writer throws(FileError) in
      state.withLock { state in
        state.ask(for: bytes)
        state.isCapacityFixed = true
      }
      try freeing(0, &writer) { writer throws(FileError) in
        try openForWriting(&writer)
        try makeRoom(&writer)
      }
    }
  }

  /// Runs a change. On a full volume, evicts the oldest segments until the change succeeds, or
  /// until it fails although enough bytes were freed. As a last resort, also evicts the active
  /// segment.
  ///
  /// - Parameter length: The number of bytes that the change writes.
  func freeing(
    _ length: Int, _ writer: inout Writer,
    _ change: (inout Writer) throws(FileError) -> Void
  ) throws(FileError) {
    var (evictions, freed, isRetried) = (0, 0, false)
    while true {
      do { return try change(&writer) } catch  where error.isFull {
        // The file may need another block, and so may the next segment.
        let needed = 2 * length + (16 << 10)
        let (used, free) = state.withLock { state in
          (state.usedBytes, state.directory.flatMap { files.room($0.descriptor) } ?? 0)
        }
        if free > needed, !isRetried {
          // Only this write was cut short, or another program has freed space in the meantime.
          isRetried = true
          continue
        }
        guard used + free >= length, evictions < 2 || freed < needed else { throw error }
        state.withLock { $0.learnRoom() }
        // When a volume has free space, it's full for another reason, such as the user's quota.
        let isShort = free <= needed || error.code == EDQUOT
        guard let bytes = try evictOldest(for: isShort ? length : .max, &writer) else {
          throw error
        }
        (evictions, freed) = (evictions + 1, freed + bytes)
      }
    }
  }

  /// Evicts the oldest segment and all its values. When only the active segment is left, evicts it
  /// if it has at least `needed` bytes. Returns the length of the evicted segment, or `nil` if
  /// there is none.
  func evictOldest(
    for needed: Int = 0, _ writer: inout Writer
  ) throws(FileError) -> Int? {
    let length = try withSegmentLock(&writer) { directory, writer throws(FileError) -> Int? in
      guard let (slot, id) = state.withLock({ $0.index.oldestSealed }) else {
        return try evictActive(for: needed, in: directory, &writer)
      }
      let length = state.withLock { $0.index.segments[slot]?.size ?? 0 }
      let evicted = try evict(id, in: directory)
      state.withLock { $0.counts.evictions &+= evicted }
      return length
    }
    // Closes the removed file now, because only that frees its space.
    releaseRetired()
    return length
  }

  /// Removes the only segment, so the next write begins a new log.
  private func evictActive(
    for needed: Int, in directory: LogDirectory, _ writer: inout Writer
  ) throws(FileError) -> Int? {
    let (length, live) = state.withLock { ($0.index.activeSize, $0.index.live) }
    guard length > RecordHeader.overhead, length >= needed else { return nil }
    try removeAllSegments(in: directory)
    state.withLock { $0.counts.evictions &+= live }
    forget(&writer)
    return length
  }
}

extension SegmentLog {
  /// While at most half of the oldest segment's bytes are valid, copies its valid values to the
  /// newest segment, and then removes it.
  ///
  /// Unlike an eviction, this drops no value that a get could return. So it ends if there's no space
  /// for the copies, and it removes the segment only after the last copy. As in an eviction, writes
  /// of other processes win against the copies.
  func compact(at now: Int64) throws(DiskError) {
    for _ in 0..<Index.mostSegments {
      guard let id = state.withLock({ $0.sparseSegment(at: now) }) else { return }
      var next = 0
      var progress = Progress.copied
      while progress == .copied {
        try change { writer throws(FileError) in
          try openForWriting(&writer)
          progress = try copyStep(of: id, from: &next, &writer)
        }
      }
      if progress == .stuck { return }
    }
  }

  private enum Progress {
    /// The segment may have more values.
    case copied
    /// The segment is no longer the oldest.
    case removed
    /// The segment has values that can't be copied now, for example because the volume is full.
    case stuck
  }

  /// Copies some values of the oldest segment. When it has no more, removes the segment.
  ///
  /// - Parameter next: The index of the first entry to check, updated for the next call.
  private func copyStep(
    of id: UInt64, from next: inout Int, _ writer: inout Writer
  ) throws(FileError) -> Progress {
    if writer.eviction.segment == id, writer.eviction.isRemoved {
      // A trim has already removed the file.
      while let live = state.withLock({ $0.forgetSome(of: id) }) {
        state.withLock { $0.counts.evictions &+= live }
      }
      return .removed
    }
    var position = next
    let progress = try withSegmentLock(&writer) { directory, writer throws(FileError) in
      let now = files.now()
      let found = state.withLock { $0.values(of: id, from: &position, atMost: Self.step, at: now) }
      guard let (segment, entries) = found else { return Progress.removed }
      guard !entries.isEmpty else {
        try evict(id, in: directory)
        return .removed
      }
      var copies: [Copy] = []
      for entry in entries {
        do throws(FileError) {
          if let copy = try copy(of: entry, in: segment, at: now) { copies.append(copy) }
        } catch {
          // Later, the value may be readable. Other values are damaged, so their gets miss.
          if error.isUnavailability { return .stuck }
        }
      }
      let space = copies.reduce(0) { $0 + $1.header.total + Entry.size }
      if state.withLock({ $0.isOverfull(with: space) }) { return .stuck }
      do throws(FileError) {
        try endSegment(in: directory, sealingFor: space, &writer)
      } catch  where error.isFull { return .stuck }
      // In one atomic step, discards copies of replaced values, and gets the end offset of the
      // known records.
      let active = state.withLock { state -> (segment: UInt64, mark: Int)? in
        guard let (slot, oldest) = state.index.oldestSealed, oldest == id else { return nil }
        copies.removeAll { !state.index.isNewest($0.entry, in: slot) }
        return state.index.activePosition.map { ($0.segment.id, $0.known) }
      }
      guard let active else { return .removed }
      if copies.isEmpty { return .copied }
      do throws(FileError) {
        let landing = try append(copies, in: active.segment, mark: active.mark, &writer)
        guard landing.isValid else { throw FileError.interrupted }
      } catch  where error.isFull { return .stuck }
      return .copied
    }
    next = position
    return progress
  }
}

extension LogState {
  /// The oldest segment, if at most half of its bytes are valid.
  fileprivate func sparseSegment(at now: Int64) -> UInt64? {
    guard let (slot, id) = index.oldestSealed, !isOverfull(with: 0) else { return nil }
    let (entries, _) = index.valid(slot, from: 0, atMost: .max >> 1, at: now)
    let bytes = entries.reduce(0) { $0 + Int($1.length) }
    return 2 * bytes <= min(index.segments[slot]!.size, capacity.segment) ? id : nil
  }

  /// Returns the next values of a segment, with about `most` bytes, or `nil` if it isn't the oldest
  /// segment.
  fileprivate func values(
    of id: UInt64, from next: inout Int, atMost most: Int, at now: Int64
  ) -> (Segment, [Entry])? {
    guard let (slot, oldest) = index.oldestSealed, oldest == id else { return nil }
    var (found, bytes) = ([Entry](), 0)
    var start: Int? = next
    while let first = start, bytes < most {
      let valid = index.valid(slot, from: first, atMost: 1, at: now)
      found += valid.entries
      bytes += valid.entries.reduce(0) { $0 + Int($1.length) }
      start = valid.next
      next = valid.next ?? index.entries(of: slot)
    }
    return (index.segment(slot), found)
  }
}

extension LogState {
  /// Reads the segments from the oldest to the newest, but only the start record of the newest.
  /// Skips files that have segment names but aren't segments. Other processes may create and remove
  /// segments at the same time. After an error, the index is empty.
  mutating func load() throws(FileError) {
    guard let directory else { return }
    let ids = try directory.list()
    for id in ids {
      do throws(FileError) {
        guard let (segment, start) = try segment(id), let start else { continue }
        try move(to: segment, start)
      } catch {
        guard error.isUnavailability || id == ids.last else { continue }
        close()
        throw error
      }
    }
  }

  /// Opens the segment with the given ID, if it exists, and reads its start record, which is `nil`
  /// if it's invalid.
  ///
  /// When a process ends while it creates a segment, the start record may be incomplete. No process
  /// appends to a segment without a complete start record, because each process checks this record
  /// first.
  func segment(_ id: UInt64) throws(FileError) -> (Segment, start: RecordHeader?)? {
    guard let directory else { return nil }
    let segment: Segment
    do throws(FileError) { segment = try Segment(id, in: directory.file) } catch {
      let status = try? files.statusOf(directory.descriptor, SegmentName.of(id))
      // A link, a pipe, a directory, or a file of another user isn't a segment.
      if error.isMissing || status?.isOwnFile == false { return nil }
      throw error
    }
    let status = segment.status
    guard status.isOwnFile, status.size >= RecordHeader.overhead else { return nil }
    return (segment, status.size <= Int(UInt32.max) ? try segment.start() : nil)
  }

  /// Reads the active segment to its end, and then makes a later segment active.
  ///
  /// When the active segment is unreadable or damaged, or if the next one is missing, records are
  /// lost. Then the index drops all earlier segments, because their values may be outdated.
  mutating func move(to segment: Segment, _ start: RecordHeader) throws(FileError) {
    if let ended = index.active {
      var isContinued = false
      do throws(FileError) {
        // There's a newer segment, so `ended` is complete, and `catchUp` reads all its records.
        try catchUp(in: ended)
        isContinued =
          start.mark == UInt64(index.segments[ended]!.known)
          && segment.id == index.segment(ended).id + 1
      } catch {
        if error.isUnavailability { throw error }
      }
      index.seal(ended)
      index.segments[ended]!.segment = index.segment(ended).withinBudget
      let isFull = index.order.count == Index.mostSegments
      retire(isContinued ? index.order.prefix(isFull ? 1 : 0) : index.order[...])
    }
    _ = index.add(segment)
    (watched, tail) = (nil, .none)
    retireRemoved()
  }

  /// Removes the oldest segments from the index if another process has evicted them: as long as
  /// they're open, removed files take space.
  private mutating func retireRemoved() {
    while let (slot, _) = index.oldestSealed, (try? index.segment(slot).isInPlace) == false {
      retire([slot])
    }
  }

  /// Reads the new records of the active segment. If no record of the segment was read before, and
  /// the segment has a seal, reads the table in the seal, which describes these records.
  mutating func catchUp(in slot: Int) throws(FileError) {
    let segment = index.segment(slot)
    guard !index.segments[slot]!.isSealed else { return tail = .none }
    let end = try segment.file.end()
    guard end >= index.segments[slot]!.known else { return becomeUnknowable(segment) }
    // A torn record is never completed. So until another process appends more bytes, there is
    // nothing to read.
    if tail == .torn, end == index.segments[slot]!.size { return }
    watched = nil
    if index.segments[slot]!.known == 0, let seal = try segment.seal(endingAt: end) {
      index.apply(seal, in: slot)
    }
    tail = try segment.scan(from: index.segments[slot]!.known, to: end) { header, offset in
      index.apply(header, at: offset, in: slot)
      index.segments[slot]!.known = offset + header.total
    }
    watch(slot, size: end)
  }

  /// Removes some entries of the oldest segment from the index and, after the last entry, the
  /// segment itself. Returns the number of removed values, or `nil` if the given segment isn't the
  /// oldest.
  mutating func forgetSome(of segment: UInt64) -> Int? {
    guard let (slot, id) = index.oldestSealed, id == segment else { return nil }
    let (live, more) = index.forget(512, in: slot)
    if !more { retire([slot]) }
    return live
  }
}

extension LogState {
  /// Reads all segments from the oldest to the newest. Of the newest segment, reads only the start.
  /// After a failure, the index is empty.
  ///
  /// Skips a file that has the name of a segment but isn't a segment. Other processes may create
  /// and remove segments at the same time.
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

  /// Opens a segment and reads its start. The start is `nil` if the file has records but no start.
  ///
  /// A process writes to a segment only after it has read the segment's start. So an incomplete
  /// start, left by a process that ended while it created the segment, hides no record.
  ///
  /// - Returns: `nil` if there is no such segment.
  func segment(_ id: UInt64) throws(FileError) -> (Segment, start: RecordHeader?)? {
    guard let directory else { return nil }
    let segment: Segment
    do throws(FileError) { segment = try Segment(id, in: directory.file) } catch {
      let status = try? files.statusOf(directory.descriptor, SegmentName.of(id))
      // A link, a pipe, or a file that another user owns.
      if error.isMissing || status?.isOwnFile == false { return nil }
      throw error
    }
    let status = try segment.file.status()
    guard status.isOwnFile, status.size >= RecordHeader.overhead else { return nil }
    return (segment, status.size <= Int(UInt32.max) ? try segment.start() : nil)
  }

  /// Reads the active segment to its end, and makes a later segment the active one.
  ///
  /// A segment that is missing, unreadable or damaged voids everything before the next segment. It
  /// may hold records that replace older records.
  mutating func move(to segment: Segment, _ start: RecordHeader) throws(FileError) {
    if let ended = index.active {
      var isContinued = false
      do throws(FileError) {
        // The segment has ended, so this reads its last records with certainty.
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
  }

  /// Reads the records that were appended to the active segment. If the segment has a seal, its
  /// table replaces the records before the seal.
  mutating func catchUp(in slot: Int) throws(FileError) {
    let segment = index.segment(slot)
    guard !index.segments[slot]!.isSealed else { return tail = .none }
    let end = try segment.file.end()
    guard end >= index.segments[slot]!.known else { return becomeUnknowable(segment) }
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
}

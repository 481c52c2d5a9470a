extension LogState {
  /// Reads all segments from the oldest to the newest, but only the start of the newest segment.
  ///
  /// Skips a file that has the name of a segment but isn't a segment. Other processes may create
  /// and remove segments at the same time. If this throws, the index is empty.
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
  /// If a process ends while it creates a segment, it can leave an incomplete start. Other
  /// processes write to a segment only after they have read its start, so no record follows an
  /// incomplete one.
  ///
  /// - Returns: The segment and its start, or `nil` if there is no segment with the ID.
  func segment(_ id: UInt64) throws(FileError) -> (Segment, start: RecordHeader?)? {
    guard let directory else { return nil }
    let segment: Segment
    do throws(FileError) { segment = try Segment(id, in: directory.file) } catch {
      let status = try? files.statusOf(directory.descriptor, SegmentName.of(id))
      // The file is a link, a pipe, or a directory, or belongs to another user.
      if error.isMissing || status?.isOwnFile == false { return nil }
      throw error
    }
    let status = try segment.file.status()
    guard status.isOwnFile, status.size >= RecordHeader.overhead else { return nil }
    return (segment, status.size <= Int(UInt32.max) ? try segment.start() : nil)
  }

  /// Reads the active segment to its end, and then makes the given, later segment active.
  ///
  /// If the active segment is unreadable or damaged, or a segment between the two is missing, this
  /// function removes all segments before the given one from the index. Lost records may have
  /// replaced the records in those segments.
  mutating func move(to segment: Segment, _ start: RecordHeader) throws(FileError) {
    if let ended = index.active {
      var isContinued = false
      do throws(FileError) {
        // The segment has ended, so this reads all its records.
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

  /// Reads the new records of the active segment. If the segment has a seal and no records are
  /// known yet, reads the seal's table instead of the records before the seal.
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

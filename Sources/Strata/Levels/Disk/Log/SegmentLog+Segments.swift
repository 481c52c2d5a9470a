/// How the active segment ends. Only the holder of the segment lock decides.
private enum Ending {
  /// The segment takes more records.
  case open
  /// The segment has ended, and all its valid records are known.
  case ended(id: UInt64, length: Int)
  /// The tail may be a write in progress.
  case unproven
  /// Records that replace earlier records may be missing, or there is no segment.
  case void
}

extension SegmentLog {
  /// Ends the active segment if it takes no more records, and begins the next one.
  ///
  /// - Parameters:
  ///   - landing: A record of this process that isn't a valid part of the segment.
  ///   - length: The length of a record. If the segment has no space for it, this function seals
  ///     the segment.
  func endSegment(
    after landing: Landing? = nil, sealingFor length: Int? = nil, _ writer: inout Writer
  ) throws(FileError) {
    try withSegmentLock(&writer) { directory, writer throws(FileError) in
      try endSegment(in: directory, after: landing, sealingFor: length, &writer)
    }
  }

  /// Ends the active segment for a caller that holds the segment lock.
  func endSegment(
    in directory: LogDirectory, after landing: Landing? = nil, sealingFor length: Int?,
    _ writer: inout Writer
  ) throws(FileError) {
    var landing = landing
    for _ in 0..<10 {
      let now = files.now()
      // One critical section reads and decides, because in between another thread could find the
      // log unreadable.
      let ending = try state.withLock { state throws(FileError) in
        try state.refresh(at: now)
        return try state.ending(landing)
      }
      switch ending {
      case .open:
        guard let length, state.withLock({ $0.isFull(for: length) }) else { return }
        landing = try seal(&writer)
      case .ended(let id, let length):
        try begin(after: id, length, in: directory, &writer)
      case .unproven:
        // This append waits for any write in progress. If the tail is still unfinished after it,
        // the write of the tail was cut short.
        let (segment, _, _, file) = try appender(&writer)
        landing = Landing(segment: segment.id, range: try file.appendNoRecord())
      case .void:
        try restart(in: directory, &writer)
      }
    }
    throw .interrupted
  }

  /// Appends a seal to the active segment.
  private func seal(_ writer: inout Writer) throws(FileError) -> Landing {
    // One critical section returns the table and the offset up to which it reaches.
    guard let (active, seal) = state.withLock({ $0.index.nextSeal }) else { throw .interrupted }
    let table = Segment.table(of: seal.entries, sealOffset: try active.file.end())
    let landing = try table.withUnsafeBufferPointer { bytes throws(FileError) in
      let record = PendingRecord(
        .seal, value: UnsafeRawBufferPointer(bytes), created: files.now(),
        deadline: Int64(seal.lastClear), mark: UInt64(seal.covered))
      return try append(record, in: active.id, &writer)
    }
    if landing.isValid, state.withLock({ $0.isFlushing }) {
      background { [files] in try? files.sync(active.file.descriptor) }
    }
    return landing
  }

  /// Creates the next segment after a segment has ended.
  private func begin(
    after id: UInt64, _ length: Int, in directory: LogDirectory, _ writer: inout Writer
  ) throws(FileError) {
    guard id + 1 < SegmentName.end else { return try restart(in: directory, &writer) }
    do {
      try create(id + 1, mark: UInt64(length), in: directory, &writer)
    } catch  where error.isExisting {
      // A link or a directory already has the name.
      return try restart(in: directory, &writer)
    }
    state.withLock { $0.isTrimWanted = true }
    try? removeLeftovers(in: directory)
  }

  /// Creates a segment with its start.
  ///
  /// If this fails, the segment remains, because its start may be whole, and other processes may
  /// have written records behind it.
  @inline(never)
  private func create(
    _ id: UInt64, mark: UInt64, in directory: LogDirectory, _ writer: inout Writer
  ) throws(FileError) {
    let name = SegmentName.of(id)
    // A process that ended before it wrote the whole start has left this file.
    try directory.remove(name)
    let file = try OpenFile(name, .create, in: directory.descriptor, files)
    let record = PendingRecord(.start, created: files.now(), mark: mark)
    _ = try record.append(to: file, of: id)
    writer.appender = (id, file)
  }

  /// Removes segments that no index reads, and files of format version 1 to which no process
  /// has written for an hour.
  private func removeLeftovers(in directory: LogDirectory) throws(FileError) {
    let oldest = state.withLock { state in
      state.index.order.first.map { state.index.segment($0).id } ?? 0
    }
    try removeSegments(before: oldest, in: directory)
    for name in try files.names(directory.descriptor) {
      guard SegmentName.id(name, suffix: SegmentName.oldSuffix) != nil else { continue }
      let age = files.now() &- (try files.statusOf(directory.descriptor, name).modified)
      if age > 3_600_000 { try directory.remove(name) }
    }
  }

  /// Removes all segments and begins a new log.
  @inline(never)
  private func restart(in directory: LogDirectory, _ writer: inout Writer) throws(FileError) {
    try removeAllSegments(in: directory)
    try create(SegmentName.first(at: files.now()), mark: .max, in: directory, &writer)
  }

  /// Removes the segments with lower IDs, the oldest first. So if a segment still has its name, no
  /// later segment was removed.
  func removeSegments(before end: UInt64, in directory: LogDirectory) throws(FileError) {
    for id in try directory.list() where id < end { try directory.remove(SegmentName.of(id)) }
  }

  /// Removes all segments, the oldest first.
  ///
  /// Every process detects this with its next operation, because its active segment gets longer. On
  /// a full volume, a hole makes the file longer. The hole is so long that setting the length of
  /// the file never cuts off an append by another process.
  func removeAllSegments(in directory: LogDirectory) throws(FileError) {
    for id in try directory.list() {
      let name = SegmentName.of(id)
      do {
        guard try files.statusOf(directory.descriptor, name).isOwnFile else { continue }
        let file = try OpenFile(name, .append, in: directory.descriptor, files)
        if (try? file.appendNoRecord()) == nil {
          try files.lengthen(file.descriptor, try file.end() + (1 << 30))
        }
        try directory.remove(name)
      } catch  where error.isMissing {}
    }
  }
}

extension LogState {
  /// Decides how the active segment ends, given a record of this process behind its tail.
  fileprivate func ending(_ landing: SegmentLog.Landing?) throws(FileError) -> Ending {
    guard let (segment, known, isSealed) = index.activePosition else { return .void }
    let ended = Ending.ended(id: segment.id, length: known)
    if isSealed { return tail == .damaged ? .void : ended }
    if watched != nil { return .open }
    guard let landing, landing.segment == segment.id else {
      return tail == .damaged ? .void : .unproven
    }
    let gap = landing.range.lowerBound &- known
    if 0..<RecordHeader.length ~= gap { return ended }
    // If an append began within the record, the write of the record was cut short.
    let length = try gap < 0 ? 0 : segment.header(at: known)?.total ?? 0
    return gap < length ? ended : .void
  }
}

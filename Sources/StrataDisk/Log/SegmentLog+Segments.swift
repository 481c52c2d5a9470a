/// Whether the active segment has ended, as found by a thread that holds the segment lock.
private enum Ending {
  /// The segment accepts more records. Its last record may be incomplete.
  case open
  /// The segment has ended, and all its valid records are known.
  case ended(id: UInt64, length: Int)
  /// The caller must restart the log, which has no segment or may have lost records.
  case void
}

extension SegmentLog {
  /// Creates the next segment if the active segment has ended.
  ///
  /// - Parameters:
  ///   - landing: The position of a record that the caller has appended, but that isn't valid
  ///     there.
  ///   - length: The length of a record. When there's no space for it, the segment is sealed.
  func endSegment(
    after landing: Landing? = nil, sealingFor length: Int? = nil, _ writer: inout Writer
  ) throws(FileError) {
    try withSegmentLock(&writer) { directory, writer throws(FileError) in
      try endSegment(in: directory, after: landing, sealingFor: length, &writer)
    }
  }

  /// Creates the next segment if the active segment has ended. The caller must hold the segment
  /// lock.
  func endSegment(
    in directory: LogDirectory, after landing: Landing? = nil, sealingFor length: Int?,
    _ writer: inout Writer
  ) throws(FileError) {
    var landing = landing
    for _ in 0..<10 {
      let now = files.now()
      // Holds the lock during both steps, because a failed `refresh` in another thread could empty
      // the index between them.
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
      case .void:
        try restart(in: directory, &writer)
      }
    }
    throw .interrupted
  }

  /// Appends a seal to the active segment.
  private func seal(_ writer: inout Writer) throws(FileError) -> Landing {
    // Reads all contents of the seal under one lock, so they're consistent.
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

  /// Creates the successor of an ended segment, which has the given ID and length.
  private func begin(
    after id: UInt64, _ length: Int, in directory: LogDirectory, _ writer: inout Writer
  ) throws(FileError) {
    guard id + 1 < SegmentName.end else { return try restart(in: directory, &writer) }
    do {
      try create(id + 1, mark: UInt64(length), in: directory, &writer)
    } catch  where error.isExisting {
      // A link or a directory already has the segment's name.
      return try restart(in: directory, &writer)
    }
    state.withLock { $0.isTrimWanted = true }
    try? removeLeftovers(in: directory)
  }

  /// Creates a segment and writes its start record. Keeps the file even if the write fails: the
  /// record may be complete anyway, and other processes may already use the file.
  @inline(never)
  private func create(
    _ id: UInt64, mark: UInt64, in directory: LogDirectory, _ writer: inout Writer
  ) throws(FileError) {
    let name = SegmentName.of(id)
    // Removes the file of a process that ended before it had written the complete start record.
    try directory.remove(name)
    let file = try OpenFile(name, .create, in: directory.descriptor, files)
    let record = PendingRecord(.start, created: files.now(), mark: mark)
    _ = try record.append(to: file, of: id, read: 0)
    writer.appender = (id, try file.status().identity, file)
    state.withLock { $0.measureAtRoll() }
  }

  /// Removes segments that are older than the oldest in the index. Also removes files of format
  /// version 1 to which no process has written for an hour.
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

  /// Removes all segments with IDs below `end`, the oldest first. `LogState` relies on this order.
  func removeSegments(before end: UInt64, in directory: LogDirectory) throws(FileError) {
    for id in try directory.list() where id < end { try directory.remove(SegmentName.of(id)) }
  }

  /// Removes all segments, the oldest first. Before it removes a file, appends a byte to it, so
  /// every other process notices the removal at its next operation. When that fails, for example on
  /// a full volume, extends the file by 1 GiB, which usually takes no space. But a smaller
  /// extension could cut off bytes that another process appends at the same time.
  func removeAllSegments(in directory: LogDirectory) throws(FileError) {
    for id in try directory.list() {
      let name = SegmentName.of(id)
      do {
        guard try files.statusOf(directory.descriptor, name).isOwnFile else { continue }
        let file = try OpenFile(name, .append, in: directory.descriptor, files)
        if (try? file.appendNoRecord()) == nil {
          // A file that exceeded the limit of this process would end the process (`SIGXFSZ`).
          let end = try file.end()
          let longer = min(end + (1 << 30), files.limits().fileLength)
          if longer > end { try files.lengthen(file.descriptor, longer) }
        }
        try directory.remove(name)
      } catch  where error.isMissing {}
    }
  }
}

extension LogState {
  /// Returns whether the active segment has ended. `landing` is the position of the record that
  /// this process has just appended, or `nil` if there is none.
  fileprivate func ending(_ landing: SegmentLog.Landing?) throws(FileError) -> Ending {
    guard let (segment, known, isSealed) = index.activePosition else { return .void }
    let ended = Ending.ended(id: segment.id, length: known)
    if isSealed { return tail == .damaged ? .void : ended }
    if watched != nil { return .open }
    if tail == .torn { return ended }
    guard let landing, landing.segment == segment.id else {
      return tail == .damaged ? .void : .open
    }
    let gap = landing.range.lowerBound &- known
    if 0..<RecordHeader.length ~= gap { return ended }
    // When the record at `landing` begins inside the one at `known`, that one was cut short.
    let length = try gap < 0 ? 0 : segment.header(at: known)?.total ?? 0
    return gap < length ? ended : .void
  }
}

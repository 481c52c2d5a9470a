extension SegmentLog {
  /// Sees to it that a record of this length fits: into a segment, and that into the folder; false
  /// if it is longer than any may be. One that is no more than a header always fits.
  func makeRoom(for length: Int, _ writer: inout Writer) throws(FileSystemError) -> Bool {
    let (longest, isFull, isOverfull) = state.withLock { state in
      (
        max(RecordHeader.length, state.capacity.longestRecord), state.isFull(for: length),
        state.isOverfull(with: length)
      )
    }
    guard length <= longest else { return false }
    if isFull { try roll(&writer) }
    guard isFull || isOverfull else { return true }
    while state.withLock({ $0.isTrimDue(with: length) }) { try trimStep(&writer) }
    return true
  }

  /// Changes how much the log may hold, and removes at once what is too much.
  func setCapacity(_ bytes: Int) throws(DiskError) {
    try attempt(bytes: 0) { writer throws(FileSystemError) in
      state.withLock { $0.capacity = Capacity(bytes) }
      try refresh(&writer)
      // Before the seal, since on a full volume that has room only then.
      while state.withLock({ $0.isTrimDue() }) { try trimStep(&writer) }
      // What is longer than a segment may be now could not go as long as it is the active one.
      if state.withLock({ $0.isFull(for: 0) }) { try roll(&writer) }
      while state.withLock({ $0.isTrimDue() }) { try trimStep(&writer) }
    }
  }
}

extension SegmentLog.State {
  /// Whether the active segment has no room for a record and, with it, its table.
  func isFull(for length: Int) -> Bool {
    guard let active = index.active, let book = index.books[active], book.size > 0 else {
      return false
    }
    return book.size + length + sealLength > capacity.segment
      || book.entries.count >= Table.mostEntries / 2
  }

  private var sealLength: Int {
    RecordHeader.length + 8 + Entry.size * (index.activeEntries + 1)
  }

  /// Whether all segments with a whole active one, or this record in it, exceed the capacity.
  func isOverfull(with length: Int) -> Bool {
    guard let active = index.active, !index.hasOnlyOne else { return false }
    let room = max(capacity.segment, index.books[active]!.size + length + sealLength)
    return index.sealedBytes + room > capacity.limit
  }

  var isOverfull: Bool { isOverfull(with: 0) }

  /// Whether the oldest segment is too much, or on its way out: then all of it goes.
  func isTrimDue(with length: Int = 0) -> Bool {
    isOverfull(with: length) || index.isOldestLeaving
  }

  /// Whether the active segment alone exceeds the capacity.
  var isActiveOverfull: Bool {
    index.active.map { index.books[$0]!.size > capacity.limit } ?? false
  }

  /// Whether room is to be made in the background, and the time has come.
  var isTrimToGoOn: Bool { isTrimWanted && (isTight || index.isOldestLeaving) }

  /// Whether what is kept of a segment in a step fits beside it.
  func hasRoom(toKeep step: Int) -> Bool { !isFull(for: step) && !isOverfull(with: step) }

  /// Whether there is no room for a segment beyond the active one, and half of that is used up.
  ///
  /// Not before: what is in the oldest segment is worth keeping as long as nothing needs its room.
  /// The other half takes what is kept of it.
  var isTight: Bool {
    guard let active = index.active, !index.hasOnlyOne else { return false }
    return index.books[active]!.size >= capacity.segment / 2
      && index.sealedBytes + capacity.segment + capacity.spare > capacity.limit
  }
}

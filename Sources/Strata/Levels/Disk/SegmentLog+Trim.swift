extension SegmentLog {
  /// How far the oldest segment has been searched for what is worth keeping.
  struct Sweep {
    var segment: UInt64 = 0
    var next = 0
    /// The bytes kept of it, at most half a segment's.
    var kept = 0
  }

  /// How much is kept in one step, during which others wait to write.
  private static let step = 16 << 10

  /// Writes again a part of what was read from the oldest segment; when that is done, forgets a
  /// part of it, and removes it in the end.
  ///
  /// The copies count only where nobody has written since, so they are safe whatever others do; and
  /// if they cannot be written, they are forgotten.
  func trimStep(_ writer: inout Writer) throws(FileSystemError) {
    guard let (book, number) = state.withLock({ $0.index.hasOnlyOne ? nil : $0.index.oldest })
    else { return }
    if writer.sweep.segment != number { writer.sweep = Sweep(segment: number) }
    let (segment, step, hasRoom, isShort) = state.withLock { state in
      let segment = state.capacity.segment
      let step = min(Self.step, segment / 4)
      return (segment, step, state.hasRoom(toKeep: step), state.capacity.spare == 0)
    }
    let most = isShort && !hasRoom ? segment / 2 : step
    let batch = gather(
      from: book, most: most, longest: segment / 2 - writer.sweep.kept, &writer.sweep)
    if !batch.records.isEmpty {
      writer.sweep.kept += batch.bytes.count
      do throws(FileSystemError) { try keep(batch, of: book, number, &writer) } catch {
        // What cannot be kept goes; but not on an index that was given up on the way.
        if writer.folder == nil { throw error }
      }
    }
    // Where there is no room for both, a long segment goes with what has not been read of it.
    if !hasRoom { writer.sweep.next = state.withLock { $0.index.entries(of: book) } }
    let isDone = state.withLock { state in
      state.index.oldest?.number == number && writer.sweep.next >= state.index.entries(of: book)
    }
    guard isDone else { return }
    // Before anything of it is forgotten: what cannot be removed is to be found.
    if let folder = writer.folder, !state.withLock({ $0.index.isOldestLeaving }) {
      try unlink(number, in: folder)
    }
    if forgetSome(book, isEviction: true) { return }
    _ = try dropOldest(&writer, closesLater: true)
  }

  /// Records that are to be written again, one after the other.
  private struct Batch {
    var bytes: [UInt8] = []
    var records: [(header: RecordHeader, offset: Int, entry: Int)] = []

    /// The room that they take, with what a seal's table says of all but one.
    var total: Int { bytes.count + Entry.size * max(0, records.count - 1) }

    /// Adds a record of a segment if it is whole and alive.
    mutating func add(_ entry: Entry, _ number: Int, of segment: Segment, at now: Int64) {
      let (start, length) = (bytes.count, Int(entry.length))
      bytes.append(contentsOf: repeatElement(0, count: length))
      let header = bytes.withUnsafeMutableBytes { bytes -> RecordHeader? in
        let record = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        guard (try? segment.fill(record, from: Int(entry.offset))) != nil else { return nil }
        return RecordHeader(value: UnsafeRawBufferPointer(record), in: segment.number, at: now)
      }
      guard let header, header.hash == entry.hash else { return bytes.removeLast(length) }
      records.append((header, start, number))
    }

    /// What is left of it if of each record it is told whether it is wanted.
    func filtered(_ isWanted: [Bool]) -> Batch {
      guard isWanted.contains(false) else { return self }
      var left = Batch()
      for ((header, offset, entry), isWanted) in zip(records, isWanted) where isWanted {
        left.records.append((header, left.bytes.count, entry))
        left.bytes += bytes[offset..<(offset + header.total)]
      }
      return left
    }
  }

  /// Reads records that were read, are the newest of their keys and alive: so many bytes, or a
  /// single one that is longer.
  private func gather(
    from book: Int, most: Int, longest: Int, _ sweep: inout Sweep
  ) -> Batch {
    var batch = Batch()
    let now = files.now()
    let segment = state.withLock { $0.index.segment(book) }
    while true {
      let piece = state.withLock { $0.index.visited(512, from: sweep.next, in: book) }
      for (number, entry) in piece.found where !entry.isExpired(at: now) {
        let length = Int(entry.length)
        guard batch.bytes.count + length <= longest else { continue }
        guard batch.records.isEmpty || batch.bytes.count + length <= most else {
          sweep.next = number
          return batch
        }
        batch.add(entry, number, of: segment, at: now)
      }
      sweep.next = piece.next
      if piece.isEnd { return batch }
    }
  }

  /// Writes a batch again, where there is no room for both after its segment is gone.
  private func keep(
    _ batch: Batch, of book: Int, _ number: UInt64, _ writer: inout Writer
  ) throws(FileSystemError) {
    if state.withLock({ $0.isFull(for: batch.total) }) { try roll(&writer) }
    // On the way to the next segment others' records were read, and room was used up.
    let isNewest = state.withLock { state in
      let isThere = state.index.oldest?.number == number
      return batch.records.map { isThere && state.index.isNewest($0.entry, in: book) }
    }
    let left = batch.filtered(isNewest)
    guard !left.records.isEmpty else { return }
    let hasRoom = !state.withLock { $0.isOverfull(with: left.total) }
    let spared = hasRoom ? 0 : left.records.count
    if !hasRoom { _ = try dropOldest(&writer, sparing: spared, closesLater: true) }
    var isKept = false
    defer { if !isKept { state.withLock { $0.count(evictions: spared) } } }
    isKept = try append(left, &writer)
  }

  /// Returns false if the copies are void.
  private func append(_ batch: Batch, _ writer: inout Writer) throws(FileSystemError) -> Bool {
    var batch = batch
    let segment = try activeSegment()
    // All before this has been seen; what lies behind it decides whether a copy counts.
    let mark = state.withLock { state in
      state.index.active.map { UInt64(state.index.books[$0]!.known) } ?? 0
    }
    var sums: [(offset: Int, sum: UInt64)] = []
    for number in batch.records.indices {
      batch.records[number].header.kind = .copy
      batch.records[number].header.mark = mark
      let (header, offset, _) = batch.records[number]
      batch.bytes.withUnsafeMutableBytes { bytes in
        let sum = header.write(
          to: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]), in: segment.number)
        sums.append((offset, sum))
      }
    }
    let records = batch.records
    let pending = Pending(total: batch.bytes.count, sum: sums[0].sum, further: sums)
    let outcome = batch.bytes.withUnsafeBytes { bytes in
      Result { () throws(FileSystemError) in
        try land(
          bytes, .init(start: nil, count: 0), pending: pending, in: segment, &writer
        ) { index, place, book in
          for (header, offset, _) in records { index.apply(header, at: place + offset, in: book) }
        }
      }
    }
    return try outcome.get() != nil
  }

  /// Makes room where no caller waits, a step at a time.
  func trimInBackground() {
    let isIdle = state.withLock { state in
      defer { (state.isTrimming, state.isTrimWanted) = (true, false) }
      return !state.isTrimming
    }
    if isIdle { background { [self] in trimOn() } }
  }

  private func trimOn() {
    let isWanted = writer.withLock { writer in
      do throws(FileSystemError) {
        try refresh(&writer)
        if state.withLock({ $0.isTight || $0.isTrimDue() }) { try trimStep(&writer) }
        return state.withLock { $0.isTight || $0.isTrimDue() }
      } catch {
        return false
      }
    }
    // A lock goes to whoever asks first, which would be the next step. So this stops while another
    // waits, and the next write starts it again.
    let goesOn = state.withLock { state in
      guard !isWanted || state.waiting > 0 else { return true }
      (state.isTrimming, state.isTrimWanted) = (false, isWanted)
      return false
    }
    if goesOn { background { [self] in trimOn() } }
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentLog {
  /// A record that has not found its place yet.
  struct Draft {
    var header: RecordHeader
    let key: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer

    var total: Int { header.total }

    init(
      _ kind: RecordHeader.Kind, key: UnsafeRawBufferPointer = .init(start: nil, count: 0),
      value: UnsafeRawBufferPointer = .init(start: nil, count: 0), born: Int64,
      deadline: Int64 = .max
    ) {
      (self.key, self.value) = (key, value)
      header = RecordHeader(
        kind, key: key, value: value, hash: RecordHeader.hash(of: key), born: born,
        deadline: deadline)
    }

    init(removing hash: UInt64, born: Int64) {
      self.init(.remove, born: born)
      header.hash = hash
      header.bodySum = RecordHeader.bodySum(key: key, value: value, hash: hash)
    }
  }

  /// Writes a set or a remove, into the next segment if this one is sealed on the way; on a full
  /// volume it gives up the oldest segments, two at most. False if the capacity, which may have
  /// been lowered meanwhile, is too small for it.
  func write(_ draft: Draft, _ writer: inout Writer) throws(FileSystemError) -> Bool {
    var (draft, sacrifices) = (draft, 0)
    draft.header.mark = writer.marks.next()
    for _ in 0..<100 {
      do {
        try refresh(&writer)
        if draft.header.kind == .remove, isRemoved(draft.header.hash) { return true }
        guard try makeRoom(for: draft.total, &writer) else { return false }
        if try append(draft, &writer) != nil { return true }
      } catch  where error.isFull && sacrifices < 2 {
        sacrifices += 1
        guard try dropOldest(&writer) else { throw error }
      }
    }
    throw FileSystemError(operation: "write", code: EAGAIN)
  }

  /// Only a remove makes a further one superfluous: with an absent key, a copy made by another
  /// process may be on its way.
  private func isRemoved(_ hash: UInt64) -> Bool {
    state.withLock { state in
      state.index.find(hash).map { state.index.entry($0).isRemoved } ?? false
    }
  }

  /// Appends one record; returns its place, or `nil` if the segment had been sealed.
  func append(_ draft: Draft, _ writer: inout Writer) throws(FileSystemError) -> Place? {
    let segment = try activeSegment()
    let size = RecordHeader.length + draft.key.count
    let outcome = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { head in
      let sum = draft.header.write(to: head, in: segment.number)
      UnsafeMutableRawBufferPointer(rebasing: head[RecordHeader.length...]).copyMemory(
        from: draft.key)
      return Result { () throws(FileSystemError) in
        try land(
          UnsafeRawBufferPointer(head), draft.value,
          pending: draft.header.kind == .seal ? nil : Pending(total: draft.total, sum: sum),
          in: segment, &writer
        ) { index, place, book in index.apply(draft.header, at: place, in: book) }
      }
    }
    return try outcome.get()
  }

  /// Appends bytes, catches up to where they landed, and applies them.
  ///
  /// - Parameters:
  ///   - pending: By what a get recognises them before they are applied; none for a seal, which no
  ///     get may overlook.
  ///   - apply: Called under the lock.
  /// - Returns: Where they landed, or `nil` if they did not or that is behind a seal, where nothing
  ///   counts.
  func land(
    _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer, pending: Pending?,
    in segment: Segment, _ writer: inout Writer,
    apply: (inout Index, _ place: Int, _ book: Int) -> Void
  ) throws(FileSystemError) -> Place? {
    let total = head.count + tail.count
    guard let file = try appender(of: segment, &writer) else {
      // Sealed and removed since it was looked at, or the whole folder: either will show.
      state.withLock { $0.checkedAt = .min }
      return nil
    }
    if let pending { state.withLock { $0.watched?.pending = pending } }
    do throws(FileSystemError) {
      let count = try files.append(file.descriptor, head, tail)
      guard count == total else { throw FileSystemError(operation: "write", code: ENOSPC) }
      let end = try files.position(file.descriptor)
      if let place = state.withLock({ $0.publish(segment, end - total, end, apply) }) {
        return place
      }
      guard try catchUp(with: segment, to: end - total, isFinal: true, &writer) else { return nil }
      return state.withLock { $0.publish(segment, end - total, end, apply) }
    } catch {
      state.withLock { $0.watched?.pending = nil }
      throw error
    }
  }

  /// Reads what others appended to the active segment; false if it turns out to be sealed.
  ///
  /// If it cannot be read, nothing is known any more: the removes in it might be what matters.
  func catchUp(
    with segment: Segment, to end: Int, isFinal: Bool, _ writer: inout Writer
  ) throws(FileSystemError) -> Bool {
    let (book, known, isSealed) = state.withLock { state in
      let book = state.index.active ?? 0
      return (
        book, state.index.books[book]?.known ?? 0, state.index.books[book]?.isSealed ?? false
      )
    }
    if isSealed { return false }
    if known == end { return true }
    do throws(FileSystemError) {
      guard known < end else { throw FileSystemError(operation: "read", code: EIO) }
      state.withLock { $0.watched = nil }
      var told = 0
      let place = try segment.scan(from: known, to: end, isFinal: isFinal) { header, place in
        told += header.total
        state.withLock { $0.index.apply(header, at: place, in: book) }
      }
      if told != place - known, try files.status(segment.file).links == 0 {
        throw FileSystemError(operation: "read", code: EIO)
      }
      return state.withLock { state in
        state.index.books[book]!.known = place
        state.index.books[book]!.size = end
        guard !state.index.books[book]!.isSealed else { return false }
        state.watched = Watched(segment, size: end, known: place)
        return true
      }
    } catch {
      forget(&writer)
      throw error
    }
  }

  func activeSegment() throws(FileSystemError) -> Segment {
    let segment = state.withLock { state in
      state.index.active.map { state.index.segment($0) }
    }
    guard let segment else { throw FileSystemError(operation: "open", code: EAGAIN) }
    return segment
  }

  private func appender(
    of segment: Segment, _ writer: inout Writer
  ) throws(FileSystemError) -> OpenFile? {
    if let (number, file) = writer.appender, number == segment.number { return file }
    guard let folder = writer.folder else {
      throw FileSystemError(operation: "open", code: EAGAIN)
    }
    do {
      let name = Segment.name(segment.number)
      let file = OpenFile(try files.openForAppending(folder.descriptor, name), files: files)
      let (own, other) = try (files.status(segment.file), files.status(file.descriptor))
      guard own.identity == other.identity else { return nil }
      writer.appender = (segment.number, file)
      return file
    } catch  where error.code == ENOENT {
      return nil
    }
  }
}

extension SegmentLog.State {
  /// Makes what was written at a place known, in one step with the length that it gave the file.
  fileprivate mutating func publish(
    _ segment: Segment, _ place: Int, _ end: Int,
    _ apply: (inout Index, _ place: Int, _ book: Int) -> Void
  ) -> Place? {
    // Behind a seal nothing counts, one's own included: the next segment could not be made then.
    guard let book = index.active, !index.books[book]!.isSealed, index.books[book]!.known == place
    else { return nil }
    counts.allBytes &+= end - place
    index.books[book]!.known = end
    index.books[book]!.size = end
    apply(&index, place, book)
    let isSealed = index.books[book]!.isSealed
    watched = isSealed ? nil : SegmentLog.Watched(segment, size: end, known: end)
    sealed = isSealed ? segment : nil
    return Place(segment: segment.number, offset: place)
  }
}

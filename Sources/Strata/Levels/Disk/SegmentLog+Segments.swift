#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentLog {
  /// The most segments of a folder that are read.
  private static let mostSegments = 200

  /// Moves on to the newest segment, loading those that are new and dropping those that are gone;
  /// makes the next one if the newest is sealed.
  func advance(_ writer: inout Writer) throws(FileSystemError) {
    state.withLock { ($0.watched, $0.frozenUntil) = (nil, .min) }
    defer {
      // Its file may close here, where no lock of the index is held.
      let gone = state.withLock { $0.sealed.take() }
      withExtendedLifetime(gone) {}
    }
    guard let folder = writer.folder else { throw FileSystemError(operation: "open", code: EAGAIN) }
    var listed = try list(folder)
    for _ in 0..<1_000 {
      writer.highest = max(writer.highest, listed.last ?? 0)
      try match(listed, in: folder, &writer)
      let isOpen = state.withLock { $0.isActiveOpen }
      do {
        if !isOpen { try createNext(listed.isEmpty, in: folder, &writer) }
      } catch  where error.isForbidden {
        let now = files.now()
        state.withLock { $0.frozenUntil = now + State.checkInterval }
        throw error
      }
      // Who slept here finds that others have gone on: then what was opened may be the file of
      // another sleeper, who made a number long past.
      let again = try list(folder)
      if isOpen, again == listed, !dropRemoved() { return state.withLock { $0.watch() } }
      listed = again
    }
    throw FileSystemError(operation: "open", code: EAGAIN)
  }

  func list(_ folder: OpenFile) throws(FileSystemError) -> [UInt64] {
    try files.names(folder.descriptor).compactMap(Segment.number).sorted()
  }

  /// Makes the index that of the segments in the folder.
  ///
  /// Numbers are consecutive. A gap, or a segment that cannot be read, hides what may have made all
  /// before it out of date: so all that is void.
  private func match(
    _ listed: [UInt64], in folder: OpenFile, _ writer: inout Writer
  ) throws(FileSystemError) {
    let run = consecutive(listed)
    // What is not sealed, and not the newest any more, may not have been read to its end.
    if let (book, number) = state.withLock({ $0.index.open }), number != run.upperBound {
      drop(book)
    }
    let held = state.withLock { state in
      state.index.order.map { ($0, state.index.segment($0).number) }
    }
    for (book, number) in held where !run.contains(number) { drop(book, closesLater: true) }
    let newest = held.last.map(\.1).flatMap { run.contains($0) ? $0 : nil } ?? 0
    // All of them: who was stopped may have written behind a seal much later.
    for (book, number) in held where run.contains(number) { measure(book) }
    for number in run where number > newest {
      if try load(number, isLast: number == run.last, in: folder) == false { dropAll() }
    }
    let oldest = state.withLock { state in
      state.index.order.first.map { state.index.segment($0).number } ?? .max
    }
    for number in listed where number < oldest {
      // Others may be writing to the last, and read it well.
      if number == listed.last { try abandon(number, in: folder) }
      try? removeOwnFile(number, in: folder)
    }
    // What holds nothing and hides nothing need not be kept.
    while let (book, number) = state.withLock({ $0.index.leadingEmpty }) {
      do { try unlink(number, in: folder) } catch { return }
      drop(book)
    }
  }

  private func consecutive(_ numbers: [UInt64]) -> ClosedRange<UInt64> {
    guard let last = numbers.last else { return 0...0 }
    var first = last
    for number in numbers.dropLast().reversed() where number == first - 1 { first = number }
    return max(first, last - min(last, UInt64(Self.mostSegments - 1)))...last
  }

  /// Makes the segment after the highest number ever seen; another may be faster.
  private func createNext(
    _ isFirst: Bool, in folder: OpenFile, _ writer: inout Writer
  ) throws(FileSystemError) {
    var number = writer.highest + 1
    let lock = isFirst ? try lockOfTheFirst() : nil
    defer { withExtendedLifetime(lock) {} }
    if isFirst {
      guard try list(folder).isEmpty else { return }
      number = max(number, Segment.firstNumber(at: files.now()))
    }
    guard number < Segment.numbersEnd else {
      throw FileSystemError(operation: "openat", code: EOVERFLOW)
    }
    do {
      let file = OpenFile(try create(number, in: folder), files: files)
      writer.appender = (number, file)
    } catch  where error.code == EEXIST {}
    writer.highest = number
  }

  /// Keeps others from making a first segment: two that did at once would choose two numbers, and
  /// what was written to one of them be void.
  ///
  /// Held for microseconds, and by those alone who find the folder empty. Where there are no locks,
  /// or somebody was stopped who holds it, it goes without after 50 ms.
  private func lockOfTheFirst() throws(FileSystemError) -> OpenFile {
    let file = OpenFile(try files.openFolder(directory), files: files)
    for _ in 0..<50 {
      do throws(FileSystemError) {
        try files.lock(file.descriptor)
        break
      } catch {
        guard error.code == EWOULDBLOCK else { break }
        files.pause()
      }
    }
    return file
  }

  /// Makes a file; on a full volume in place of the oldest segments, two at most.
  private func create(
    _ number: UInt64, in folder: OpenFile
  ) throws(FileSystemError) -> Descriptor {
    for _ in 0..<2 {
      do {
        return try files.create(folder.descriptor, Segment.name(number))
      } catch  where error.isFull {
        let oldest = state.withLock { state in
          state.index.order.first.map { ($0, state.index.segment($0).number) }
        }
        guard let (book, number) = oldest else { throw error }
        try unlink(number, in: folder)
        drop(book, isEviction: true)
      }
    }
    return try files.create(folder.descriptor, Segment.name(number))
  }

  /// Seals the active segment and goes on to the next.
  func roll(_ writer: inout Writer) throws(FileSystemError) {
    let segment = try activeSegment()
    let (entries, lastClear, known) = table()
    let end = try files.end(segment.file)
    var seal = [UInt8](repeating: 0, count: Entry.size * entries.count + 8)
    seal.withUnsafeMutableBytes { seal in
      for (number, entry) in entries.enumerated() { entry.write(to: seal, at: Entry.size * number) }
      seal.storeBytes(
        of: UInt64(end).littleEndian, toByteOffset: seal.count - 8, as: UInt64.self)
    }
    // Behind another's seal ours is void, and the segment is sealed all the same.
    let outcome = seal.withUnsafeBytes { bytes in
      var draft = Draft(.seal, value: bytes, born: files.now())
      (draft.header.deadline, draft.header.mark) = (Int64(lastClear), UInt64(known))
      return Result { () throws(FileSystemError) in try append(draft, &writer) }
    }
    _ = try outcome.get()
    if state.withLock({ $0.isFlushing }) {
      background { try? segment.files.sync(segment.file) }
    }
    try advance(&writer)
    state.withLock { $0.isTrimWanted = true }
  }

  /// The table of the active segment, where its last clear ends, and how far it is known.
  private func table() -> (entries: [Entry], lastClear: Int, known: Int) {
    var (found, next) = ([Entry](), 0)
    while true {
      // In pieces, lest a get wait; nobody else changes the index meanwhile.
      let (entries, count, lastClear, known) = state.withLock { state in
        guard let book = state.index.active else { return ([Entry](), 0, 0, 0) }
        return (
          state.index.newestEntries(512, from: next, in: book), state.index.entries(of: book),
          state.index.books[book]!.lastClear, state.index.books[book]!.known
        )
      }
      found += entries
      next += 512
      if next >= count { return (found, lastClear, known) }
    }
  }

  /// Removes a segment's file; that it is gone already is as good.
  func unlink(_ number: UInt64, in folder: OpenFile) throws(FileSystemError) {
    do {
      try files.unlink(folder.descriptor, Segment.name(number))
    } catch  where error.code == ENOENT {}
  }

  /// Removes a file that is a segment by name, unless it is a link, a folder or another's.
  func removeOwnFile(_ number: UInt64, in folder: OpenFile) throws(FileSystemError) {
    do {
      guard try files.statusOf(folder.descriptor, Segment.name(number)).isOwnFile else { return }
    } catch  where error.code == ENOENT {
      return
    }
    try unlink(number, in: folder)
  }
}

extension SegmentLog.State {
  /// Whether there is an active segment, and that is not sealed.
  fileprivate var isActiveOpen: Bool {
    index.active.flatMap { index.books[$0] }.map { !$0.isSealed } ?? false
  }

  /// Looks at the active segment from here on.
  fileprivate mutating func watch() {
    guard let active = index.active, let book = index.books[active] else { return }
    watched = SegmentLog.Watched(book.segment, size: book.size, known: book.known)
  }
}

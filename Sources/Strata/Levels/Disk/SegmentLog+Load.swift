extension SegmentLog {
  /// Reads a segment's records into the index; false if it is none of ours or cannot be read.
  ///
  /// Throws if that may change, as when too many files are open: then nothing is known of it.
  func load(
    _ number: UInt64, isLast: Bool, in folder: OpenFile
  ) throws(FileSystemError) -> Bool {
    var added: Int?
    do {
      let file = try files.open(folder.descriptor, Segment.name(number))
      let segment = Segment(number: number, file: file, files: files)
      let status = try files.status(file)
      guard status.isOwnFile, status.size <= Int(UInt32.max) else { return false }
      guard let book = state.withLock({ $0.index.add(segment) }) else { return false }
      added = book
      let known = try read(segment, size: status.size, isLast: isLast, into: book)
      state.withLock { state in
        state.index.books[book]!.known = known
        state.index.books[book]!.size = status.size
      }
      return true
    } catch {
      guard error.isUnavailability else { return false }
      // Or it would be taken for one that has been read.
      if let added { drop(added) }
      throw error
    }
  }

  private func read(
    _ segment: Segment, size: Int, isLast: Bool, into book: Int
  ) throws(FileSystemError) -> Int {
    var start = 0
    var end = size
    if let seal = try segment.seal(size: size) {
      state.withLock { state in
        state.index.apply(seal.entries, clearedBefore: seal.lastClear, in: book)
      }
      // Others may have written between the table and its seal.
      (start, end) = (seal.covered, seal.place)
    }
    let known = try segment.scan(from: start, to: end, isFinal: !isLast || end < size) {
      header, place in
      state.withLock { $0.index.apply(header, at: place, in: book) }
    }
    guard end < size else { return known }
    state.withLock { $0.index.close(book) }
    return size
  }
}

extension Segment {
  /// What a seal says of its segment.
  struct Seal {
    var place: Int
    /// The table tells of all before this offset.
    var covered: Int
    var lastClear: Int
    var entries: [Entry]
  }

  /// Reads the table to which the last bytes of a sealed segment lead; `nil` if they do not.
  func seal(size: Int) throws(FileSystemError) -> Seal? {
    let shortest = RecordHeader.length + 8
    guard size >= shortest else { return nil }
    let last = try bytes(from: size - 8, count: 8)
    let found = last.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    guard let place = Int(exactly: found), place <= size - shortest else { return nil }
    // The magic first: most often this is no seal, and the length is that of a whole segment.
    let start = try bytes(from: place, count: RecordHeader.length)
    guard
      let header = start.withUnsafeBytes({ RecordHeader($0, in: number) }),
      header.kind == .seal, header.keyLength == 0, header.total == size - place,
      (header.valueLength - 8).isMultiple(of: Entry.size),
      let covered = Int(exactly: header.mark), covered <= place,
      let lastClear = Int(exactly: header.deadline), 0...covered ~= lastClear
    else { return nil }
    let table = try bytes(from: place + RecordHeader.length, count: header.valueLength)
    return table.withUnsafeBytes { table in
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      let sum = RecordHeader.bodySum(key: empty, value: table, hash: header.hash)
      guard sum == header.bodySum else { return nil }
      let entries = stride(from: 0, to: table.count - 8, by: Entry.size).map {
        Entry(table, at: $0)
      }
      guard entries.allSatisfy({ Int($0.offset) + Int($0.length) <= covered }) else { return nil }
      return Seal(place: place, covered: covered, lastClear: lastClear, entries: entries)
    }
  }

  private func bytes(from place: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: FileSystemError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(FileSystemError) { try fill(buffer, from: place) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}

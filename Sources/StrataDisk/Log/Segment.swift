import Foundation

/// A value, with its creation time and deadline in milliseconds since 1970.
struct StoredValue {
  var value: Data
  var created: Int64
  var deadline: Int64 = .max
}

/// The kind of bytes, if any, that follow the last complete record of a segment.
enum Tail {
  case none
  /// A record whose write is in progress or was cut short. No `set` of a later record has
  /// succeeded.
  case unfinished
  /// A record that was cut short, because its writer was killed or its volume was full. The bytes
  /// after it aren't part of the log: their writers hadn't read past the torn record.
  case torn
  /// Bytes that are neither a complete record nor the beginning of one. They may have been records
  /// that replaced earlier ones.
  case damaged
}

/// One file of the log, opened for reading. While it's open, its records are readable even if the
/// file is removed.
final class Segment: Sendable {
  let id: UInt64
  let name: String
  /// The status of the file when it was opened.
  let status: FileStatus
  /// The identity of the file. It's stored, because `status.identity` allocates memory.
  let identity: [UInt64]
  private let directory: OpenFile
  /// The open file. When too many files are open, it's `nil`, and each read opens the file.
  private let kept: OpenFile?

  init(_ id: UInt64, in directory: OpenFile) throws(FileError) {
    (self.id, self.directory, name) = (id, directory, SegmentName.of(id))
    let file = try OpenFile(name, .read, in: directory.descriptor, directory.files)
    let status = try file.status()
    (kept, self.status, identity) = (file, status, status.identity)
  }

  private init(unopened other: Segment) {
    (id, name, status, identity) = (other.id, other.name, other.status, other.identity)
    (directory, kept) = (other.directory, nil)
  }

  /// This segment. When too many files are open, it's a replacement that opens the file for each
  /// read.
  var withinBudget: Segment { kept?.isOverBudget == true ? Segment(unopened: self) : self }

  /// The descriptor, or `nil` if each read opens the file. The active segment always has a
  /// descriptor.
  var descriptor: Descriptor? { kept?.descriptor }

  /// The file, which is opened by its name if necessary. Throws if another file now has this name,
  /// for example because a backup tool has restored an earlier copy of the segment.
  var file: OpenFile {
    get throws(FileError) {
      if let kept { return kept }
      let file = try OpenFile(name, .read, in: directory.descriptor, directory.files)
      guard try file.status().identity == identity else { throw .unreadable }
      return file
    }
  }

  /// Whether the segment's name in its directory still refers to this file.
  var isInPlace: Bool {
    get throws(FileError) {
      do throws(FileError) {
        return try directory.files.inode(directory.descriptor, name) == identity.last
      } catch {
        if error.isMissing { return false }
        throw error
      }
    }
  }

  /// Fills a buffer with the bytes at an offset. Throws if a read fails or the file ends too early.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileError) {
    let file = try file
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try file.files.read(file.descriptor, rest, offset + done)
      guard count > 0 else { throw .unreadable }
      done += count
    }
  }

  @inline(never)
  func bytes(from offset: Int, count: Int) throws(FileError) -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled throws(FileError) in
      try fill(UnsafeMutableRawBufferPointer(buffer), from: offset)
      filled = count
    }
  }

  /// Reads the header at an offset. Returns `nil` if there is no valid one.
  func header(at offset: Int) throws(FileError) -> RecordHeader? {
    try bytes(from: offset, count: RecordHeader.length).withUnsafeBytes { RecordHeader($0, in: id) }
  }

  private func word(at offset: Int) throws(FileError) -> UInt64 {
    try bytes(from: offset, count: 8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  /// Reads the value of a record in one system call, without copying it. Returns `nil` if the
  /// record is damaged, has expired, or has a different key.
  func read(_ entry: Entry, key: UnsafeRawBufferPointer, at time: Int64) -> StoredValue? {
    let length = Int(entry.length) - RecordHeader.endLength
    let size = RecordHeader.length + key.count
    guard length >= size, let memory = malloc(length) else { return nil }
    let record = UnsafeMutableRawBufferPointer(start: memory, count: length)
    guard
      (try? fill(record, from: Int(entry.offset))) != nil,
      let header = RecordHeader(intact: UnsafeRawBufferPointer(record), in: id),
      header.isValue(at: time), header.hash == entry.hash, header.keyLength == key.count,
      key.isEmpty || memcmp(key.baseAddress!, memory + RecordHeader.length, key.count) == 0
    else {
      free(memory)
      return nil
    }
    // The deallocator reads the size here, because a closure that captured it would allocate
    // memory.
    (memory + size - 8).storeBytes(of: size, as: Int.self)
    let value = Data(
      bytesNoCopy: memory + size, count: length - size,
      deallocator: .custom { start, _ in free(start - (start - 8).loadUnaligned(as: Int.self)) })
    return StoredValue(value: value, created: header.created, deadline: header.deadline)
  }

  private static let window = 32 << 10

  /// Reads the complete records between two offsets, in order. Stops after a seal.
  ///
  /// The scan stops at the first bytes that aren't a complete record, so it never mistakes bytes of
  /// a value for a record. Still, it finds the record of every successful write: a write succeeds
  /// only after a check that a scan can reach its record.
  ///
  /// - Returns: The kind of bytes, if any, that follow the last complete record.
  /// - Complexity: Reads at most 32 KiB at a time. When a read ends inside a value, the rest of
  ///   that value is skipped.
  func scan(
    from start: Int, to end: Int, apply: (RecordHeader, _ offset: Int) -> Void
  ) throws(FileError) -> Tail {
    var scan = Scan(first: start, offset: start, end: end)
    while let header = try next(&scan) { apply(header, scan.offset - header.total) }
    return scan.tail
  }

  private struct Scan {
    /// The bytes of the last read, which begin at the offset `first` in the file.
    var window: [UInt8] = []
    var first: Int
    var offset: Int
    var end: Int
    var tail = Tail.none
  }

  /// Reads the next record of a scan. Returns `nil` after the last record. This code isn't part of
  /// `scan(from:to:apply:)`, because the compiler copies that function for each closure.
  @inline(never)
  private func next(_ scan: inout Scan) throws(FileError) -> RecordHeader? {
    let (offset, end) = (scan.offset, scan.end)
    guard offset < end else { return nil }
    scan.tail = .unfinished
    guard end - offset >= RecordHeader.length else { return nil }
    if offset + RecordHeader.length > scan.first + scan.window.count {
      scan.window = try bytes(from: offset, count: min(Segment.window, end - offset))
      scan.first = offset
    }
    let header = scan.window.withUnsafeBytes {
      RecordHeader(UnsafeRawBufferPointer(rebasing: $0[(offset - scan.first)...]), in: id)
    }
    guard let header else {
      scan.tail = .damaged
      return nil
    }
    let next = offset + header.total
    guard next <= end else { return nil }
    let position = next - RecordHeader.endLength - scan.first
    let endMark =
      position + 8 > scan.window.count
      ? try word(at: scan.first + position)
      : scan.window.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
    guard endMark == header.endMark else {
      scan.tail = .damaged
      return nil
    }
    (scan.tail, scan.offset) = (.none, next)
    if header.kind == .seal { scan.end = next }
    return header
  }

  /// Reads the segment's first record. Returns `nil` if it isn't a start record.
  func start() throws(FileError) -> RecordHeader? {
    var start: RecordHeader?
    _ = try scan(from: 0, to: RecordHeader.overhead) { header, _ in start = header }
    return start?.kind == .start ? start : nil
  }

  /// The contents of a seal, which describe each key's newest record before the offset `covered`.
  /// `lastClear` is the end offset of the last `clear` record, or 0 if there is none.
  typealias Seal = (covered: Int, lastClear: Int, entries: [Entry])

  /// Reads the seal that ends at an offset. Returns `nil` if no intact seal ends there.
  func seal(endingAt end: Int) throws(FileError) -> Seal? {
    let shortest = RecordHeader.overhead + 8
    guard end >= shortest else { return nil }
    // Checks the header before it reads the table, because an invalid header may contain any
    // length.
    guard
      let offset = Int(exactly: try word(at: end - 16)), offset <= end - shortest,
      let header = try header(at: offset), header.kind == .seal, header.total == end - offset,
      let covered = Int(exactly: header.mark), covered <= offset,
      let lastClear = Int(exactly: header.deadline), 0...covered ~= lastClear
    else { return nil }
    let record = try bytes(from: offset, count: end - offset - RecordHeader.endLength)
    return record.withUnsafeBytes { record in
      let table = RecordHeader.length..<(record.count - 8)
      guard RecordHeader(intact: record, in: id) != nil, table.count.isMultiple(of: Entry.size)
      else { return nil }
      let entries = stride(from: table.lowerBound, to: table.upperBound, by: Entry.size).map {
        record.loadUnaligned(fromByteOffset: $0, as: Entry.self)
      }
      let isSound = entries.allSatisfy {
        Int($0.length) >= RecordHeader.overhead && Int($0.offset) + Int($0.length) <= covered
      }
      return isSound ? (covered, lastClear, entries) : nil
    }
  }

  /// Returns a seal's table: the entries with cleared visited flags, and then the seal's offset.
  static func table(of entries: [Entry], sealOffset: Int) -> [UInt8] {
    var entries = entries
    for index in entries.indices { entries[index].isVisited = false }
    return entries.withUnsafeBytes { Array($0) }
      + withUnsafeBytes(of: UInt64(sealOffset)) { Array($0) }
  }
}

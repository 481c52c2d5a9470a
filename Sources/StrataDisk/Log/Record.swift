/// The header of a record: its first 64 bytes. It's followed by the key, the value, and the end
/// mark.
///
/// All numbers are little-endian, as in memory on the supported platforms. They aren't aligned,
/// because a record may begin at any offset. The segment's ID seeds the header's checksum, so a
/// record's bytes are invalid in any other segment. And because the end mark is computed from this
/// checksum, every record has a different one. Without its end mark, a record is incomplete, and
/// the bytes of another record can't complete it.
struct RecordHeader: Equatable {
  enum Kind: UInt32 {
    /// Stores a value under a key.
    case set = 1
    /// Removes the key that has the record's hash.
    case remove
    /// Removes all keys.
    case clear
    /// Ends the segment and contains a table of its entries. Readers ignore bytes after a seal.
    case seal
    /// Stores a value from an evicted segment. The copy is invalid if another record, after the
    /// offset `mark` and before the copy, has changed the key.
    case copy
    /// Begins the segment and contains the valid length of the previous segment.
    case start
  }

  /// The letters "STS2", which identify the version of the format.
  static let signature: UInt32 = 0x3253_5453
  fileprivate var magic = signature
  fileprivate var kindNumber: UInt32
  fileprivate var keyBytes: UInt32
  fileprivate var valueBytes: UInt32
  /// The checksum of the key.
  var hash: UInt64
  /// The creation time in milliseconds since 1970.
  var created: Int64
  /// The deadline in milliseconds since 1970, or `.max` for no deadline. In a seal, it's the offset
  /// at which the segment's last `clear` record ends, or 0 if there is none.
  var deadline: Int64
  /// A number whose meaning depends on the kind. `copy`: the offset up to which the copying process
  /// had read the segment. `seal`: the end of the records that the table describes. `start`: the
  /// valid length of the previous segment, or `.max` if no earlier segment is valid. `set`,
  /// `remove`, and `clear`: in the lower half, the offset up to which the writer had read the
  /// segment. In the upper half is a unique number.
  var mark: UInt64
  /// The checksum of the value. Its seed is computed from the key and `hash`.
  fileprivate var bodySum: UInt64
  /// The checksum of the header's other fields, seeded with the segment's ID.
  fileprivate var sum: UInt64 = 0

  static let length = 64
  static let endLength = 8
  /// The number of bytes that a record takes in addition to its key and value.
  static let overhead = length + endLength
  /// The maximum length of a record: 64 KiB less than 2 GiB, because one system call can't write 2
  /// GiB.
  static let longest = 0x7fff_0000
  /// The number of milliseconds by which a creation time may be in the future, because clocks
  /// differ.
  private static let tolerance: Int64 = 60_000

  var kind: Kind { Kind(rawValue: kindNumber)! }
  /// The offset up to which the writer had read the segment when it appended the record.
  var read: Int {
    switch kind {
    case .set, .remove, .clear: Int(mark & 0xffff_ffff)
    case .copy, .seal: Int(clamping: mark)
    case .start: .max
    }
  }
  var keyLength: Int { Int(keyBytes) }
  var valueLength: Int { Int(valueBytes) }
  /// The length of the record: header, key, value, and end mark.
  var total: Int { RecordHeader.overhead + keyLength + valueLength }
  /// The last eight bytes of the record. The highest bit of the last byte is set. In the first
  /// eight bytes of a header, this bit is never set. So if an end mark is cut short, the bytes of
  /// the next header can't complete it.
  var endMark: UInt64 {
    let mixed = (sum ^ 0x5354_5241_5441_3245) &* 0x9e37_79b9_7f4a_7c15
    return (mixed ^ mixed >> 32) | 1 << 63
  }
}

extension RecordHeader {
  /// Reads a header. Returns `nil` if the first 64 bytes aren't a valid header of the segment.
  init?(_ bytes: UnsafeRawBufferPointer, in segment: UInt64) {
    guard bytes.count >= RecordHeader.length else { return nil }
    self = bytes.loadUnaligned(as: RecordHeader.self)
    guard
      magic == RecordHeader.signature, sum == RecordHeader.sum(bytes, in: segment),
      Kind(rawValue: kindNumber) != nil, total <= RecordHeader.longest
    else { return nil }
  }

  /// Reads the header of a record. `record` is the whole record without its last eight bytes, the
  /// end mark. Returns `nil` if the header, the key, or the value is damaged.
  init?(intact record: UnsafeRawBufferPointer, in segment: UInt64) {
    guard
      let header = RecordHeader(record, in: segment),
      header.total == record.count + RecordHeader.endLength
    else { return nil }
    let value = RecordHeader.length + header.keyLength
    let sum = RecordHeader.bodySum(
      key: UnsafeRawBufferPointer(rebasing: record[RecordHeader.length..<value]),
      value: UnsafeRawBufferPointer(rebasing: record[value...]), hash: header.hash)
    guard sum == header.bodySum else { return nil }
    self = header
  }

  /// Whether the record has a value that is valid at `now`, in milliseconds since 1970.
  func isValue(at now: Int64) -> Bool {
    (kind == .set || kind == .copy) && deadline > now
      && created <= now.addingReportingOverflow(RecordHeader.tolerance).partialValue
  }

  /// Writes the header, including its checksum, to the first 64 bytes of `bytes`.
  mutating func write(to bytes: UnsafeMutableRawBufferPointer, in segment: UInt64) {
    bytes.storeBytes(of: self, as: RecordHeader.self)
    sum = RecordHeader.sum(UnsafeRawBufferPointer(bytes), in: segment)
    bytes.storeBytes(of: self, as: RecordHeader.self)
  }

  /// Appends a copy of the record to `bytes`, and returns the copy's header. `record` doesn't
  /// contain the end mark. `mark` is the offset up to which this process has read the target
  /// segment.
  func copy(
    _ record: [UInt8], to bytes: inout [UInt8], mark: Int, in segment: UInt64
  ) -> RecordHeader {
    var header = self
    let start = bytes.count
    (header.kindNumber, header.mark) = (Kind.copy.rawValue, UInt64(mark))
    bytes += record
    bytes.withUnsafeMutableBytes {
      header.write(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), in: segment)
    }
    withUnsafeBytes(of: header.endMark) { bytes += $0 }
    return header
  }

  /// Returns the hash of a key, which is the same in every process.
  static func hash(of key: UnsafeRawBufferPointer) -> UInt64 { Checksum.of(key) }

  static func bodySum(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, hash: UInt64
  ) -> UInt64 {
    Checksum.of(value, seed: Checksum.of(key, seed: hash))
  }

  private static func sum(_ bytes: UnsafeRawBufferPointer, in segment: UInt64) -> UInt64 {
    Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<(length - 8)]), seed: segment)
  }
}

/// A record to append to a segment.
struct PendingRecord {
  var header: RecordHeader
  let key: UnsafeRawBufferPointer
  let value: UnsafeRawBufferPointer

  /// Creates a record. By default, the hash is computed from the key.
  @inline(never)
  init(
    _ kind: RecordHeader.Kind, hash: UInt64? = nil,
    key: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    value: UnsafeRawBufferPointer = .init(start: nil, count: 0), created: Int64,
    deadline: Int64 = .max, mark: UInt64 = 0
  ) {
    (self.key, self.value) = (key, value)
    let hash = hash ?? RecordHeader.hash(of: key)
    header = RecordHeader(
      kindNumber: kind.rawValue, keyBytes: UInt32(key.count), valueBytes: UInt32(value.count),
      hash: hash, created: created, deadline: deadline, mark: mark,
      bodySum: RecordHeader.bodySum(key: key, value: value, hash: hash))
  }

  /// Appends the record to a segment's file, and returns its range there. `read` is the offset up
  /// to which this process has read the segment.
  func append(
    to file: OpenFile, of segment: UInt64, read: Int
  ) throws(FileError) -> Range<Int> {
    var header = header
    switch header.kind {
    case .set, .remove, .clear:
      header.mark = header.mark << 32 | UInt64(UInt32(truncatingIfNeeded: read))
    case .copy, .seal, .start: break
    }
    return try withUnsafeTemporaryAllocation(
      byteCount: RecordHeader.length + key.count, alignment: 8
    ) { head throws(FileError) in
      header.write(to: head, in: segment)
      UnsafeMutableRawBufferPointer(rebasing: head[RecordHeader.length...]).copyMemory(from: key)
      return try withUnsafeBytes(of: header.endMark) { end throws(FileError) in
        try file.append(RecordParts(head: UnsafeRawBufferPointer(head), body: value, end: end))
      }
    }
  }
}

/// The first 64 bytes of a record, as a segment of the log holds it; key and value follow.
///
/// All numbers are little endian. There is no padding, so a record may begin at any byte:
///
///     0 magic 4 | 4 kind 4 | 8 key length 4 | 12 value length 4 | 16 hash of the key 8 | 24 born 8
///     32 deadline 8 | 40 mark 8 | 48 body sum 8 | 56 header sum 8
///
/// The header sum is seeded with the number of the segment, so that a record of another segment, of
/// another folder or of an earlier life of this one does not verify.
struct RecordHeader: Equatable {
  enum Kind: UInt32 {
    /// A value under a key.
    case set = 1
    /// A key without its value from here on.
    case remove
    /// No key has a value here.
    case clear
    /// The end of the segment, with a table of its entries; what lies behind is void.
    case seal
    /// A value kept from a segment that goes; counts only if nobody has written its key since.
    case copy
  }

  var kind: Kind
  var keyLength: Int
  var valueLength: Int
  var hash: UInt64
  /// Milliseconds since 1970.
  var born: Int64
  /// Milliseconds since 1970, `.max` for never. In a seal the end of the last clear, or 0.
  var deadline: Int64 = .max
  /// In a copy, what place of this segment its writer had read up to; in a seal, what place its
  /// table covers. In all others a number that tells it from its like.
  var mark: UInt64 = 0
  var bodySum: UInt64

  static let length = 64
  /// "STS1": the version of the format.
  static let magic: UInt32 = 0x3153_5453
  static let magicFirstByte: UInt8 = 0x53
  /// The longest record there may be, two GiB less 64 KiB: a system takes no more in one write than
  /// two GiB less one of its pages.
  static let longest = 0x7fff_0000
  static let sumOffset = 56

  /// The length of the record: header, key and value.
  var total: Int { RecordHeader.length + keyLength + valueLength }

  /// The same of a record whose body is not as it should be: lest anybody set memory aside for it.
  var withoutBody: RecordHeader {
    var header = self
    (header.keyLength, header.valueLength) = (0, 0)
    return header
  }

  init(
    _ kind: Kind, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, hash: UInt64,
    born: Int64, deadline: Int64 = .max, mark: UInt64 = 0
  ) {
    self.kind = kind
    (keyLength, valueLength) = (key.count, value.count)
    self.hash = hash
    (self.born, self.deadline, self.mark) = (born, deadline, mark)
    bodySum = RecordHeader.bodySum(key: key, value: value, hash: hash)
  }

  /// Reads a header from at least 64 bytes; `nil` if they are none of this segment's.
  init?(_ bytes: UnsafeRawBufferPointer, in segment: UInt64) {
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func half(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    guard
      bytes.count >= RecordHeader.length, half(0) == RecordHeader.magic,
      word(RecordHeader.sumOffset) == RecordHeader.sum(bytes, in: segment),
      let kind = Kind(rawValue: half(4))
    else { return nil }
    self.kind = kind
    (keyLength, valueLength) = (Int(half(8)), Int(half(12)))
    hash = word(16)
    (born, deadline) = (Int64(bitPattern: word(24)), Int64(bitPattern: word(32)))
    (mark, bodySum) = (word(40), word(48))
    guard total <= RecordHeader.longest else { return nil }
  }

  /// Writes the header into the first 64 bytes and returns its sum.
  @discardableResult
  func write(to bytes: UnsafeMutableRawBufferPointer, in segment: UInt64) -> UInt64 {
    func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
      bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }
    put(RecordHeader.magic, at: 0)
    put(kind.rawValue, at: 4)
    put(UInt32(keyLength), at: 8)
    put(UInt32(valueLength), at: 12)
    put(hash, at: 16)
    put(born, at: 24)
    put(deadline, at: 32)
    put(mark, at: 40)
    put(bodySum, at: 48)
    let sum = RecordHeader.sum(UnsafeRawBufferPointer(bytes), in: segment)
    put(sum, at: RecordHeader.sumOffset)
    return sum
  }

  /// The hash under which a key is known, the same in every process.
  static func hash(of key: UnsafeRawBufferPointer) -> UInt64 { Checksum.of(key) }

  static func bodySum(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, hash: UInt64
  ) -> UInt64 {
    Checksum.of(value, seed: Checksum.of(key, seed: hash))
  }

  private static func sum(_ bytes: UnsafeRawBufferPointer, in segment: UInt64) -> UInt64 {
    Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<sumOffset]), seed: segment)
  }
}

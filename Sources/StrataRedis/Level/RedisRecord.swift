import Foundation
import StrataCore

/// A record on the server: its contents, such as the bytes of a value, and then a trailer of 33
/// bytes.
///
/// The trailer consists of the epoch, the creation time, the deadline, a checksum, and the record's
/// kind. Times are in milliseconds since 1970, and all numbers are big-endian. Only the epoch isn't
/// part of the checksum, which covers the key, the contents, the times, and the kind. The value
/// comes first, so the parser takes a slice of the record, and doesn't copy the value's bytes.
struct RedisRecord: Equatable {
  enum Kind: UInt8 {
    case value = 1
    /// A lease of a client that is loading the value. Instead of a value, the record contains the
    /// token of the lease.
    case lease = 2
    /// A value that a client is replacing. The value is followed by the end of the client's lease,
    /// in milliseconds since 1970, and by the token of the lease. Each of these two numbers takes 8
    /// bytes.
    case leasedValue = 3

    /// The size of the lease in bytes.
    var leaseSize: Int {
      switch self {
      case .value: 0
      case .lease: 8
      case .leasedValue: 16
      }
    }
  }

  static let trailerSize = 33
  var kind = Kind.value
  /// All bytes before the trailer.
  var contents: Data
  var created: Int64
  /// The deadline, or `Int64.max` for no deadline.
  var deadline = Int64.max

  /// The value, or no bytes if the record is only a lease.
  var value: Data { kind == .value ? contents : contents.dropLast(kind.leaseSize) }

  /// The token of the lease. Records of the kind `value` have none.
  var token: [UInt8] { Array(contents.suffix(8)) }

  /// The end of the lease of a `leasedValue`, or `nil` for other kinds.
  var leaseEnd: Int64? {
    guard kind == .leasedValue else { return nil }
    return contents.suffix(kind.leaseSize).withUnsafeBytes {
      Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
    }
  }

  /// This record without its lease, or `nil` if the record is only a lease.
  var withoutLease: RedisRecord? {
    kind == .lease ? nil : RedisRecord(contents: value, created: created, deadline: deadline)
  }

  /// Returns this record's value with a lease that replaces this record's lease, if any.
  func leased(until end: Int64, token: [UInt8]) -> RedisRecord {
    let contents = value + RedisEpoch.bytes(UInt64(bitPattern: end)) + token
    return RedisRecord(kind: .leasedValue, contents: contents, created: created, deadline: deadline)
  }

  /// Returns the bytes of the record that follow the value: the lease and the trailer.
  func ending(for key: [UInt8], epoch: UInt64) -> [UInt8] {
    Array(contents.suffix(kind.leaseSize)) + RedisEpoch.bytes(epoch) + trailer(for: key)
  }

  /// Returns the part of the trailer that follows the epoch. This part contains a checksum, which
  /// also covers the key.
  func trailer(for key: [UInt8]) -> [UInt8] {
    let trailer = Trailer(self, key)
    return trailer.times.flatMap { withUnsafeBytes(of: $0) { Array($0) } }
      + RedisEpoch.bytes(trailer.sum) + [kind.rawValue]
  }

  /// The part of a trailer that follows the epoch, stored without an allocation.
  struct Trailer: Sendable {
    static let size = 25
    /// The creation time and the deadline, in the byte order of the record.
    let (created, deadline): (UInt64, UInt64)
    let sum: UInt64
    let kind: Kind

    var times: [UInt64] { [created, deadline] }

    init(_ record: RedisRecord, _ key: [UInt8]) {
      let times = (
        UInt64(bitPattern: record.created).bigEndian, UInt64(bitPattern: record.deadline).bigEndian
      )
      sum = record.contents.withUnsafeBytes { contents in
        withUnsafeBytes(of: times) { RedisRecord.checksum(key[...], contents, $0, record.kind) }
      }
      (created, deadline, kind) = (times.0, times.1, record.kind)
    }
  }

  init(kind: Kind = .value, contents: Data, created: Int64, deadline: Int64 = .max) {
    (self.kind, self.contents, self.created, self.deadline) = (kind, contents, created, deadline)
  }

  /// Parses a record. Returns `nil` if the record belongs to another epoch.
  ///
  /// - Throws: ``RedisError/damaged`` if the data isn't a record of the key.
  init?(_ data: Data, key: [UInt8], epoch: UInt64?) throws(RedisError) {
    try self.init(data, key: key[...], epoch: epoch)
  }

  /// Parses a record whose key is a part of an array.
  init?(_ data: Data, key: ArraySlice<UInt8>, epoch: UInt64?) throws(RedisError) {
    let size = data.count - Self.trailerSize
    guard size >= 0 else { throw .damaged }
    // Reads the fields of the trailer in place to avoid an array allocation for each field.
    let (found, kind, times) = data.withUnsafeBytes { bytes -> (UInt64, Kind?, (Int64, Int64)?) in
      let (contents, trailer) = (bytes[..<size], UnsafeRawBufferPointer(rebasing: bytes[size...]))
      func number(_ index: Int) -> UInt64 {
        UInt64(bigEndian: trailer.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
      }
      guard let kind = Kind(rawValue: trailer[32]) else { return (number(0), nil, nil) }
      let sum = Self.checksum(
        key, UnsafeRawBufferPointer(rebasing: contents),
        UnsafeRawBufferPointer(rebasing: trailer[8..<24]), kind)
      let times = (Int64(bitPattern: number(1)), Int64(bitPattern: number(2)))
      return (number(0), kind, sum == number(3) ? times : nil)
    }
    guard found == epoch else { return nil }
    guard let kind, let times, size >= kind.leaseSize else { throw .damaged }
    (self.kind, contents, (created, deadline)) = (kind, data.prefix(size), times)
  }

  /// Returns the bytes by which a script recognizes a record: the trailer, or all bytes of a
  /// damaged record. All bytes are needed, because the damage may have happened on the way from the
  /// server. In that case, the record on the server is intact, and may have the same trailer.
  ///
  /// - Parameter epoch: The current epoch. Gets never return a value of another epoch, so for such
  ///   a record, the trailer is enough.
  static func end(of bytes: Data, unlessOf epoch: UInt64) -> Data {
    guard bytes.count > trailerSize else { return bytes }
    let trailer = bytes.suffix(trailerSize)
    return RedisEpoch.bytes(epoch) == Array(trailer.prefix(8)) ? bytes : trailer
  }

  private static func checksum(
    _ key: ArraySlice<UInt8>, _ contents: UnsafeRawBufferPointer, _ times: UnsafeRawBufferPointer,
    _ kind: Kind
  ) -> UInt64 {
    let ofKey = key.withUnsafeBytes { Checksum.of($0, seed: UInt64(kind.rawValue)) }
    return Checksum.of(times, seed: Checksum.of(contents, seed: ofKey))
  }
}

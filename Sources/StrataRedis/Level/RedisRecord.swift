import Foundation
import Strata

/// A record on the server: the bytes of a value, followed by a trailer of 33 bytes.
///
/// The trailer contains the epoch, the creation time, the deadline, a checksum, and the kind of the
/// record. The times are in milliseconds since 1970. The checksum covers the key, the value, the
/// times, and the kind, but not the epoch. All numbers are big-endian. The value comes first, so
/// reading a record doesn't copy the bytes of its value.
struct RedisRecord: Equatable {
  enum Kind: UInt8 {
    case value = 1
    /// A lease of a client that is loading the value. The record contains the token of the lease in
    /// place of a value.
    case lease = 2
  }

  static let trailerSize = 33

  var kind = Kind.value
  var value: Data
  var created: Int64
  /// The deadline, or `Int64.max` for no deadline.
  var deadline = Int64.max

  /// Returns the trailer of this record without the epoch. The checksum in the trailer also covers
  /// the key.
  func trailer(for key: [UInt8]) -> [UInt8] {
    var bytes = RedisEpoch.bytes(UInt64(bitPattern: created))
    bytes += RedisEpoch.bytes(UInt64(bitPattern: deadline))
    bytes += RedisEpoch.bytes(Self.checksum(key, value, bytes, kind))
    return bytes + [kind.rawValue]
  }

  init(kind: Kind = .value, value: Data, created: Int64, deadline: Int64 = .max) {
    (self.kind, self.value, self.created, self.deadline) = (kind, value, created, deadline)
  }

  /// Parses a record. Returns `nil` if the record belongs to another epoch.
  ///
  /// - Throws: ``RedisError/damaged`` if the data isn't a record of the key.
  init?(_ data: Data, key: [UInt8], epoch: UInt64?) throws(RedisError) {
    let size = data.count - Self.trailerSize
    guard size >= 0 else { throw .damaged }
    let trailer = [UInt8](data.suffix(Self.trailerSize))
    func number(_ index: Int) -> UInt64 {
      trailer[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard number(0) == epoch else { return nil }
    guard let kind = Kind(rawValue: trailer[32]) else { throw .damaged }
    let value = data.prefix(size)
    guard number(3) == Self.checksum(key, value, Array(trailer[8..<24]), kind) else {
      throw .damaged
    }
    (self.kind, self.value) = (kind, value)
    (created, deadline) = (Int64(bitPattern: number(1)), Int64(bitPattern: number(2)))
  }

  private static func checksum(
    _ key: [UInt8], _ value: Data, _ times: [UInt8], _ kind: Kind
  ) -> UInt64 {
    let ofKey = key.withUnsafeBytes { Checksum.of($0, seed: UInt64(kind.rawValue)) }
    let ofValue = value.withUnsafeBytes { Checksum.of($0, seed: ofKey) }
    return times.withUnsafeBytes { Checksum.of($0, seed: ofValue) }
  }
}

import Foundation
import Strata

/// A value as the server stores it: the bytes of the value, and a trailer of 33 bytes.
///
/// The trailer has the epoch, the creation time, the deadline, a checksum, and the kind of the
/// record. The times are in milliseconds since 1970. The checksum includes the key and everything
/// except the epoch. All numbers are big-endian. The value is first, so reading it doesn't copy.
struct RedisRecord: Equatable {
  enum Kind: UInt8 {
    case value = 1
    /// The sign that a client is loading the value. This record has no value.
    case lease = 2
  }

  static let trailerSize = 33

  var kind = Kind.value
  var value: Data
  var created: Int64
  /// The deadline, or `Int64.max` for no deadline.
  var deadline = Int64.max

  /// Returns the trailer after the epoch, for a key.
  func trailer(for key: [UInt8]) -> [UInt8] {
    var bytes = RedisEpoch.bytes(UInt64(bitPattern: created))
    bytes += RedisEpoch.bytes(UInt64(bitPattern: deadline))
    bytes += RedisEpoch.bytes(Self.checksum(key, value, bytes, kind))
    return bytes + [kind.rawValue]
  }

  init(kind: Kind = .value, value: Data, created: Int64, deadline: Int64 = .max) {
    (self.kind, self.value, self.created, self.deadline) = (kind, value, created, deadline)
  }

  /// Reads a record of an epoch, or returns `nil` for another epoch.
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

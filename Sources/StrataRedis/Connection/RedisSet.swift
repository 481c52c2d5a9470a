import Foundation

/// The record of a `set`, without its epoch, which the connection knows.
struct RedisSet: Sendable {
  let value: Data
  /// The part of the record's trailer that follows the epoch.
  let trailer: [UInt8]
  /// The lifetime in milliseconds, or `nil` for a record without a deadline.
  let lifetime: Int64?

  /// Appends the command that stores the record.
  func encode(into encoder: inout RequestEncoder, name: [UInt8], epoch: UInt64) {
    encoder.begin(lifetime == nil ? 3 : 5)
    encoder.append("SET")
    encoder.append(name)
    encoder.append(value, RedisEpoch.bytes(epoch) + trailer)
    guard let lifetime else { return }
    encoder.append("PX")
    encoder.append("\(lifetime)")
  }
}

import Foundation

/// The record of a `set`, without its epoch, which the connection inserts.
struct RedisSet: Sendable {
  let value: Data
  /// The part of the record's trailer that follows the epoch.
  let trailer: RedisRecord.Trailer
  /// The lifetime in milliseconds, or `nil` for a record without a deadline.
  let lifetime: Int64?

  private static let short = Array("*3\r\n$3\r\nSET\r\n".utf8)
  private static let long = Array("*5\r\n$3\r\nSET\r\n".utf8)

  /// Appends the command that stores the record.
  func encode(into encoder: inout RequestEncoder, name: [UInt8], epoch: UInt64) {
    encoder.append(encoded: lifetime == nil ? Self.short : Self.long)
    encoder.append(name)
    encoder.append(value, epoch: epoch, trailer)
    guard let lifetime else { return }
    encoder.append("PX")
    encoder.append("\(lifetime)")
  }
}

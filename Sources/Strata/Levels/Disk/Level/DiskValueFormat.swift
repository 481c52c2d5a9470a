import Foundation

/// The format of a disk level's values: plain bytes, or bytes with a creation time and a deadline.
///
/// The header of a record contains both times of a stamped value. So a get of an expired value is a
/// miss that doesn't call a decoder, and an eviction discards the value.
struct DiskValueFormat<Value: Sendable>: Sendable {
  /// Returns the value of a record.
  let value: @Sendable (StoredValue) -> Value
  /// Returns the contents of a record for a value and the time of its write, or `nil` if the value
  /// has expired.
  let record: @Sendable (_ value: Value, _ now: Int64) -> StoredValue?
  /// Returns the current time, which deadlines are compared with, in milliseconds since 1970. If
  /// the closure is `nil`, the log uses the wall clock.
  var now: (@Sendable () -> Int64)?

  func answer(_ stored: StoredValue?) -> Promise<Value> {
    stored.map { Promise(value($0)) } ?? .miss
  }
}

extension DiskValueFormat<Data> {
  /// The format of plain bytes, which never expire. Their creation time is the time of the write.
  static let bytes = DiskValueFormat(
    value: { $0.value }, record: { StoredValue(value: $0, created: $1) })
}

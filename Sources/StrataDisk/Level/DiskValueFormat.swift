import Foundation

/// The format of a disk level's values: plain bytes, or bytes with a creation time and a deadline.
/// Both times are in a record's header, so a get detects an expired value without decoding it.
/// Evictions discard expired values.
struct DiskValueFormat<Value: Sendable>: Sendable {
  /// Returns the value of a record.
  let value: @Sendable (StoredValue) -> Value
  /// Returns the record of a value written at the time `now`, or `nil` if the value is invalid.
  let record: @Sendable (_ value: Value, _ now: Int64) -> StoredValue?
  /// A closure that returns the time to compare with deadlines, in milliseconds since 1970. The
  /// default is the wall clock.
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

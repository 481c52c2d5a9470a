import Foundation

/// The format of a disk level's values: plain bytes, or bytes with a creation time and a deadline.
///
/// A stamped value keeps both times in the header of its record. So an expired value is a miss
/// before a decoder sees it, and an eviction doesn't write it again.
struct DiskValueFormat<Value: Sendable>: Sendable {
  /// Returns the value of a record.
  let value: @Sendable (StoredValue) -> Value
  /// Returns the record's contents for a value and the time of the write, or `nil` for a value that
  /// has expired.
  let record: @Sendable (_ value: Value, _ now: Int64) -> StoredValue?
  /// Returns the time by which values expire, in milliseconds since 1970. If `nil`, the wall clock
  /// is used.
  var now: (@Sendable () -> Int64)?

  func answer(_ stored: StoredValue?) -> Promise<Value> {
    stored.map { Promise(value($0)) } ?? .miss
  }
}

extension DiskValueFormat<Data> {
  /// Plain bytes. Their creation time is the time of the write, and they never expire.
  static let bytes = DiskValueFormat(
    value: { $0.value }, record: { StoredValue(value: $0, created: $1) })
}

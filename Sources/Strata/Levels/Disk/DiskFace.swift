import Foundation

/// How a value looks that a disk level takes and gives: as bytes alone, or with its age.
///
/// The level is written once, over a face: a face for values that carry birth and deadline keeps
/// them in the header of the record, so that what is past its deadline is a miss without a decoder
/// having seen it, and is not written again when its segment goes.
struct DiskFace<Value: Sendable>: Sendable {
  /// What a get answers for a record.
  let value: @Sendable (StoredValue) -> Value
  /// What a set writes into one.
  let draft: @Sendable (Value) -> DraftValue
  /// The clock by which a value that is read lives or not, in milliseconds since 1970; without one
  /// the log's own, the wall clock.
  let now: (@Sendable () -> Int64)?

  init(
    value: @escaping @Sendable (StoredValue) -> Value,
    draft: @escaping @Sendable (Value) -> DraftValue,
    now: (@Sendable () -> Int64)? = nil
  ) {
    (self.value, self.draft, self.now) = (value, draft, now)
  }
}

extension DiskFace<Data> {
  /// Bytes that are born when they are written, and live as long as there is room.
  static let bytes = DiskFace(value: { $0.value }, draft: { DraftValue(value: $0) })
}

/// A value to be written, in milliseconds since 1970; of no birth if that is now.
struct DraftValue: Equatable {
  var value: Data
  var born: Int64?
  var deadline: Int64 = .max
}

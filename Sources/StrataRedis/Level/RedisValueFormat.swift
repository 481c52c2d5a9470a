import Foundation
import StrataCore

/// The format of a level's values: plain bytes, or bytes with a creation time and a deadline.
final class RedisValueFormat<Value: Sendable>: Sendable {
  /// Returns the value of a record, or `nil` if the value has expired.
  let value: @Sendable (RedisRecord) -> Value?
  /// Returns the record that stores a value.
  let record: @Sendable (Value) -> RedisRecord
  /// The current time in milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// Settle the promises of gets. The compiler can't specialize a subclass of a request, but it
  /// specializes these closures. So they needn't look up the type of the value.
  let settle:
    @Sendable (RedisGet<Value>, Result<RedisReply, RedisFailure>, UInt64?, inout HeldTasks) -> Void
  let settleMany:
    @Sendable (RedisGets<Value>, Result<RedisReply, RedisFailure>, UInt64?, inout HeldTasks) -> Void

  init(
    value: @escaping @Sendable (RedisRecord) -> Value?,
    record: @escaping @Sendable (Value) -> RedisRecord, now: @escaping @Sendable () -> Int64
  ) {
    (self.value, self.record, self.now) = (value, record, now)
    settle = { $0.settle($1, $2, &$3) }
    settleMany = { $0.settle($1, $2, &$3) }
  }
}

extension RedisValueFormat<Data> {
  /// Bytes that never expire.
  static let bytes = RedisValueFormat(
    value: { $0.value }, record: { RedisRecord(contents: $0, created: now()) }, now: now)

  private static let now: @Sendable () -> Int64 = { TimeSource.system.now().milliseconds }
}

extension RedisValueFormat<Stamped<Data>> {
  /// Bytes with a creation time and a deadline. The clock decides whether a deadline has passed.
  static func stamped(_ clock: TimeSource) -> RedisValueFormat {
    let now = clock.now
    return RedisValueFormat(
      value: { record in
        let stamped = Stamped(
          record.value, storedAt: TimeSource.Instant(milliseconds: record.created),
          expiresAt: record.deadline == .max
            ? nil : TimeSource.Instant(milliseconds: record.deadline))
        return stamped.isValid(at: now()) ? stamped : nil
      },
      record: { stamped in
        RedisRecord(
          contents: stamped.value, created: stamped.storedAt.milliseconds,
          deadline: stamped.expiresAt?.milliseconds ?? .max)
      },
      now: { now().milliseconds })
  }
}

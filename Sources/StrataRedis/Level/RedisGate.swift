import StrataCore
import Synchronization

/// Whether gets of a cache with `following` are allowed to return values.
///
/// The class isn't generic, and it's inlinable. So the gate costs a hit only one atomic load.
@usableFromInline
final class RedisGate: Sendable {
  /// The time from which gets must not return values. It's `Int64.max` while every connection
  /// receives reports of writes.
  @usableFromInline let openUntil = Atomic<Int64>(0)

  @usableFromInline init() {}

  /// Whether gets are allowed to return values.
  @inlinable var isOpen: Bool {
    let end = openUntil.load(ordering: .acquiring)
    return end == .max || Self.isFuture(end)
  }

  /// The error of a get while the gate is closed.
  @usableFromInline static var miss: any Error { plainMiss }

  @usableFromInline static func isFuture(_ time: Int64) -> Bool { time > runningNanoseconds() }
}

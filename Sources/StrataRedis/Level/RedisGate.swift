import StrataCore
import Synchronization

/// Whether gets of a cache with `following` are allowed to return values.
///
/// The class isn't generic and is inlinable, so a hit of a followed cache takes one atomic load more
/// than a hit of the cache itself.
@usableFromInline
final class RedisGate: Sendable {
  /// At or after this time, gets must not return values. While every connection receives reports of
  /// writes, the value is `Int64.max`.
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

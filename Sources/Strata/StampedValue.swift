/// A value with its age: what ``Stamped`` is, and nothing else.
///
/// The memory level is chosen by it; there is no need to conform to it.
public protocol StampedValue: Sendable {
  /// What is stamped.
  associatedtype Plain: Sendable
  /// The value.
  var value: Plain { get }
  /// Its birth.
  var storedAt: TimeSource.Instant { get }
  /// Its deadline.
  var expiresAt: TimeSource.Instant? { get }
}

extension Stamped: StampedValue {}

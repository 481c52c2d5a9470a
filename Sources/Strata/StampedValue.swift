/// A value with its age: what ``Stamped`` is, and nothing else.
///
/// The memory level is chosen by it. No other type conforms to it: the level reads the stamps under
/// its locks, where no code but its own may run.
public protocol StampedValue: Sendable {
  /// What is stamped.
  associatedtype Plain: Sendable
  /// The value.
  var value: Plain { get }
  /// Its birth.
  var storedAt: TimeSource.Instant { get }
  /// Its deadline.
  var expiresAt: TimeSource.Instant? { get }
  /// What nobody else can make.
  static var seal: StampedSeal { get }
}

/// Keeps other types from being a ``StampedValue``: only Strata can make one.
public struct StampedSeal: Sendable {
  fileprivate init() {}
}

extension Stamped: StampedValue {
  /// What nobody else can make.
  public static var seal: StampedSeal { StampedSeal() }
}

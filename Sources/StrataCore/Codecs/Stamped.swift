/// A value with its creation time and its deadline.
///
/// The times are part of a stamped value, so a back-fill copies them unchanged from level to level.
/// A cache of plain values returns no times, so a back-fill from that cache can't preserve the
/// times. Combine levels of stamped values with `+` before you apply `expiring`, which returns a
/// cache of plain values.
///
///     let now = TimeSource.system.now()
///     let page = Stamped("text", storedAt: now, lasting: .seconds(60))
///     page.isValid(at: now)  // true, and false 60 seconds later
///
/// - Law: A back-fill preserves the creation time and the deadline. See `time.promotion` and
///   `TimeLaws`.
public struct Stamped<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  /// The creation time: the time at which the value was first stored.
  public let storedAt: TimeSource.Instant

  // A deadline at the latest possible instant means that the value never expires. An optional
  // deadline would cost each hit 2 ns and each entry 8 bytes.
  @usableFromInline let deadline: TimeSource.Instant

  /// The deadline, or `nil` if the value never expires. A get at or after the deadline is a miss.
  /// The property is also `nil` if the deadline is the latest instant that an `Instant` can
  /// represent, in 2262.
  @inlinable
  public var expiresAt: TimeSource.Instant? { deadline == .last ? nil : deadline }

  /// Creates a stamped value with a creation time and a deadline.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storedAt: The creation time.
  ///   - expiresAt: The deadline. If the deadline isn't after the creation time, the value has
  ///     already expired when it's created. The default, `nil`, means that the value never expires.
  @inlinable
  public init(
    _ value: Value, storedAt: TimeSource.Instant, expiresAt: TimeSource.Instant? = nil
  ) {
    self.value = value
    self.storedAt = storedAt
    deadline = expiresAt ?? .last
  }

  /// Creates a stamped value that expires after a given lifetime.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storedAt: The creation time.
  ///   - lifetime: The duration from the creation time to the deadline. With a lifetime of zero or
  ///     less, the value has already expired when it's created. With `nil`, or with a deadline
  ///     after 2262, the value never expires.
  public init(_ value: Value, storedAt: TimeSource.Instant, lasting lifetime: Duration?) {
    self.init(value, storedAt: storedAt, expiresAt: lifetime.map(storedAt.advanced(by:)))
  }

  /// Returns the time since the value was created. The result is negative if the creation time is
  /// in the future.
  public func age(at now: TimeSource.Instant) -> Duration { storedAt.duration(to: now) }

  /// Whether a cache may return the value. The deadline must be in the future, and the creation
  /// time must not be more than 60 seconds in the future.
  ///
  /// If the clock was set back between two runs of the program, a creation time can be in the
  /// future. The age of a value with a future creation time is unknown.
  ///
  /// - Parameter now: The current time.
  @inlinable
  public func isValid(at now: TimeSource.Instant) -> Bool {
    now < deadline && !isFromTheFuture(at: now)
  }

  @inlinable
  func isFromTheFuture(at now: TimeSource.Instant) -> Bool {
    storedAt > now.advanced(byNanoseconds: 60_000_000_000)
  }

  /// Returns a copy with a transformed value and the same times.
  ///
  /// - Parameter transform: A closure called once, before this function returns. If the closure
  ///   throws, this function rethrows the error.
  public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> Stamped<NewValue> {
    Stamped<NewValue>(try transform(value), storedAt: storedAt, expiresAt: expiresAt)
  }
}

extension Stamped: Equatable where Value: Equatable {}
extension Stamped: Hashable where Value: Hashable {}

extension Stamped: Wrapping {
  var wrapped: Value { value }
}

extension Stamped: Encodable where Value: Encodable {
  /// Encodes the value and the creation time. If the value has a deadline, also encodes the
  /// deadline.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StampedPart.self)
    try container.encode(value, forKey: .value)
    try container.encode(storedAt, forKey: .storedAt)
    try container.encodeIfPresent(expiresAt, forKey: .expiresAt)
  }
}

extension Stamped: Decodable where Value: Decodable {
  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: StampedPart.self)
    self.init(
      try container.decode(Value.self, forKey: .value),
      storedAt: try container.decode(TimeSource.Instant.self, forKey: .storedAt),
      expiresAt: try container.decodeIfPresent(TimeSource.Instant.self, forKey: .expiresAt))
  }
}

private enum StampedPart: String, CodingKey { case value, storedAt, expiresAt }

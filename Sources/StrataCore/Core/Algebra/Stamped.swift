/// A value with its creation time and its deadline.
///
/// Because the times are part of a stamped value, a back-fill copies them unchanged from level to
/// level. But a cache of plain values returns no times, so a back-fill from it can't preserve them.
/// Therefore add levels of stamped values with `+` first, and then apply `expiring`, which returns
/// a cache of plain values.
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

  // For a value that never expires, the deadline is the latest possible instant. An optional
  // deadline would cost each hit 2 ns and each entry 8 bytes.
  @usableFromInline package let deadline: TimeSource.Instant

  /// The deadline: from this time on, a get is a miss. It's `nil` if the value never expires. It's
  /// also `nil` if the deadline is the latest instant that an `Instant` can represent, in 2262.
  @inlinable
  public var expiresAt: TimeSource.Instant? { deadline == .last ? nil : deadline }

  /// Creates a stamped value with a creation time and a deadline.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storedAt: The creation time.
  ///   - expiresAt: The deadline. When the deadline isn't after the creation time, the value has
  ///     already expired when it's created. The default is `nil`, which means that the value never
  ///     expires.
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
  ///   - lifetime: The duration from the creation time to the deadline. Zero or less means that the
  ///     value has already expired when it's created. With `nil`, or with a deadline after 2262,
  ///     the value never expires.
  public init(_ value: Value, storedAt: TimeSource.Instant, lasting lifetime: Duration?) {
    self.init(value, storedAt: storedAt, expiresAt: lifetime.map(storedAt.advanced(by:)))
  }

  /// Returns the time since the value was created. This time is negative if the creation time is in
  /// the future.
  public func age(at now: TimeSource.Instant) -> Duration { storedAt.duration(to: now) }

  /// Whether a cache may return the value. The deadline must be in the future, and the creation
  /// time may be at most 60 seconds ahead.
  ///
  /// A creation time can be in the future if the clock was set back between two runs of the
  /// program. Then the age of the value is unknown.
  ///
  /// - Parameter now: The current time.
  @inlinable
  public func isValid(at now: TimeSource.Instant) -> Bool {
    now < deadline && !isFromTheFuture(at: now)
  }

  @inlinable
  package func isFromTheFuture(at now: TimeSource.Instant) -> Bool { now < firstUse }

  /// The first time at which the value is valid, 60 seconds before its creation.
  @inlinable
  package var firstUse: TimeSource.Instant {
    storedAt.advanced(byNanoseconds: -60_000_000_000)
  }

  /// Returns a copy with a transformed value and the same times.
  ///
  /// - Parameter transform: A closure that runs once, before this function returns. When it throws,
  ///   this function rethrows the error.
  public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> Stamped<NewValue> {
    Stamped<NewValue>(try transform(value), storedAt: storedAt, expiresAt: expiresAt)
  }
}

extension Stamped: Equatable where Value: Equatable {}
extension Stamped: Hashable where Value: Hashable {}

extension Stamped: DatedValue {}

extension Stamped: Wrapping {
  package var wrapped: Value { value }
}

extension Stamped: Encodable where Value: Encodable {
  /// Encodes the value, the creation time, and the deadline if there is one.
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

/// A value with its creation time and its deadline.
///
/// Because the times are part of a stamped value, a back-fill copies them unchanged from level to
/// level. In contrast, a cache of plain values returns no times, so a back-fill from it can't
/// preserve them. So combine levels of stamped values with `+` before you apply `expiring`, which
/// returns a cache of plain values.
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

  // For a value that never expires, the deadline is the latest possible instant. As an optional, it
  // would cost each hit 2 ns and each entry 8 bytes.
  @usableFromInline let deadline: TimeSource.Instant

  /// The deadline, or `nil` if the value never expires. From then on, a get is a miss. It's also
  /// `nil` if the deadline is the latest instant that an `Instant` can represent, in 2262.
  @inlinable
  public var expiresAt: TimeSource.Instant? { deadline == .last ? nil : deadline }

  /// Creates a stamped value with a creation time and a deadline.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storedAt: The creation time.
  ///   - expiresAt: The deadline. When it isn't after the creation time, the value has expired from
  ///     the beginning. By default, it's `nil`, which means that the value never expires.
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

  /// Returns the time since the value was created. It's negative if the creation time is in the
  /// future.
  public func age(at now: TimeSource.Instant) -> Duration { storedAt.duration(to: now) }

  /// Whether a cache may return the value. For this, the deadline must be in the future, and the
  /// creation time must not be more than 60 seconds in the future.
  ///
  /// When the clock was set back between two runs of the program, a creation time can be in the
  /// future. Then the age of the value is unknown.
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
  /// - Parameter transform: A closure called once, before this function returns. When it throws,
  ///   this function rethrows the error.
  public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> Stamped<NewValue> {
    Stamped<NewValue>(try transform(value), storedAt: storedAt, expiresAt: expiresAt)
  }
}

extension Stamped: Equatable where Value: Equatable {}
extension Stamped: Hashable where Value: Hashable {}

extension Stamped: DatedValue {}

extension Stamped: Wrapping {
  var wrapped: Value { value }
}

extension Stamped: Encodable where Value: Encodable {
  /// Encodes the value and the creation time. With a deadline, also encodes that.
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

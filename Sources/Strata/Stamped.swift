/// A value with its age: when it was stored, and when it is over.
///
/// Age is part of the value, so that it travels with it: promotion from level to level copies it as
/// it is. Levels that share an age hold stamped values and are summed before `expiring` takes the
/// stamps away.
///
///     let now = TimeSource.system.now()
///     let page = Stamped("text", storedAt: now, lasting: .seconds(60))
///     page.isLive(at: now)  // true, and false 60 seconds later
///
/// - Law: promotion keeps birth and deadline: `time.promotion`; see `TimeLaws`.
public struct Stamped<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value

  /// Its birth: when it was stored first.
  public let storedAt: TimeSource.Instant

  // The last moment there is stands for never: an optional would cost each hit 2 ns, and each entry
  // 8 bytes.
  @usableFromInline let deadline: TimeSource.Instant

  /// Its deadline: at this moment and after it, it is a miss; `nil` for never, which is also what a
  /// deadline in the year 2262 or after it becomes.
  @inlinable
  public var expiresAt: TimeSource.Instant? { deadline == .last ? nil : deadline }

  /// Makes a value with its birth and its deadline.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storedAt: Its birth.
  ///   - expiresAt: Its deadline, which may lie before its birth: then it was never alive.
  @inlinable
  public init(
    _ value: Value, storedAt: TimeSource.Instant, expiresAt: TimeSource.Instant? = nil
  ) {
    self.value = value
    self.storedAt = storedAt
    deadline = expiresAt ?? .last
  }

  /// Makes a value that is over some time after its birth.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storedAt: Its birth.
  ///   - lifetime: How long it lives. Zero or less is never alive; `nil`, or one that ends after
  ///     the year 2262, is for ever.
  public init(_ value: Value, storedAt: TimeSource.Instant, lasting lifetime: Duration?) {
    self.init(value, storedAt: storedAt, expiresAt: lifetime.map(storedAt.advanced(by:)))
  }

  /// How long ago it was stored; negative for one from the future.
  public func age(at now: TimeSource.Instant) -> Duration { storedAt.duration(to: now) }

  /// Whether it may be answered: its deadline has not come, and it is not from the future.
  ///
  /// A birth more than 60 seconds ahead comes of a clock that was set back between two runs: nobody
  /// knows how old such a value is, so it is a miss.
  ///
  /// - Parameter now: The present moment.
  @inlinable
  public func isLive(at now: TimeSource.Instant) -> Bool {
    now < deadline && !isFromTheFuture(at: now)
  }

  @inlinable
  func isFromTheFuture(at now: TimeSource.Instant) -> Bool {
    storedAt > now.advanced(byNanoseconds: 60_000_000_000)
  }

  /// Returns another value of the same age.
  ///
  /// - Parameter transform: Called once, before this returns; what it throws is thrown.
  public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> Stamped<NewValue> {
    Stamped<NewValue>(try transform(value), storedAt: storedAt, expiresAt: expiresAt)
  }
}

extension Stamped: Equatable where Value: Equatable {}
extension Stamped: Hashable where Value: Hashable {}

extension Stamped: Encodable where Value: Encodable {
  /// Writes value, birth and deadline, the last only if there is one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StampedPart.self)
    try container.encode(value, forKey: .value)
    try container.encode(storedAt, forKey: .storedAt)
    try container.encodeIfPresent(expiresAt, forKey: .expiresAt)
  }
}

extension Stamped: Decodable where Value: Decodable {
  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: StampedPart.self)
    self.init(
      try container.decode(Value.self, forKey: .value),
      storedAt: try container.decode(TimeSource.Instant.self, forKey: .storedAt),
      expiresAt: try container.decodeIfPresent(TimeSource.Instant.self, forKey: .expiresAt))
  }
}

private enum StampedPart: String, CodingKey { case value, storedAt, expiresAt }

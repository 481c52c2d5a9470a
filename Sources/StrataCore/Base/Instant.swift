import Foundation

extension TimeSource {
  /// A point in time from the year 1677 to 2262, as nanoseconds since 1970-01-01 00:00 UTC.
  ///
  /// A `Date` isn't precise enough for a cache: its present resolution is 120 ns, about as long as
  /// two hits in memory. Times outside the range are clamped, so adding durations never overflows.
  /// Fractions of a nanosecond are dropped.
  public struct Instant: InstantProtocol, Codable, Sendable {
    @usableFromInline package let nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The latest instant, in 2262.
    @inlinable package static var last: Instant { Instant(nanoseconds: .max) }

    /// The time since 1970-01-01 00:00 UTC. It's negative for earlier instants.
    public var sinceEpoch: Duration { .nanoseconds(nanoseconds) }

    /// Creates an instant from the time since 1970-01-01 00:00 UTC.
    public init(sinceEpoch: Duration) { nanoseconds = sinceEpoch.wholeNanoseconds }

    /// The instant as text in UTC, in whole seconds, such as `2026-01-01T00:00:00Z`.
    package var text: String {
      Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000)).ISO8601Format()
    }

    /// Creates an instant from a date.
    public init(_ date: Date) {
      let seconds = date.timeIntervalSince1970
      let bounded = seconds.isNaN ? 0 : min(max(seconds, -9_200_000_000), 9_200_000_000)
      self.init(sinceEpoch: .seconds(bounded))
    }

    /// Returns this instant moved forward by a duration, or backward if the duration is negative.
    @inline(never)
    public func advanced(by duration: Duration) -> Instant {
      advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    @inlinable
    package func advanced(byNanoseconds duration: Int64) -> Instant {
      let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(duration)
      return Instant(nanoseconds: isTooMuch ? (duration < 0 ? .min : .max) : sum)
    }

    package init(milliseconds: Int64) { self.init(sinceEpoch: .milliseconds(milliseconds)) }

    /// The number of whole milliseconds since 1970-01-01 00:00 UTC, rounded down.
    package var milliseconds: Int64 {
      let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
      return rest < 0 ? whole - 1 : whole
    }

    /// Returns the time from this instant to another instant. This time is negative if the other
    /// instant is earlier.
    public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }

    /// Whether the first instant is earlier than the second.
    @inlinable
    public static func < (one: Instant, other: Instant) -> Bool {
      one.nanoseconds < other.nanoseconds
    }

    /// Whether the first instant isn't later than the second.
    @inlinable
    public static func <= (one: Instant, other: Instant) -> Bool {
      one.nanoseconds <= other.nanoseconds
    }

    /// Whether two instants are equal.
    @inlinable
    public static func == (one: Instant, other: Instant) -> Bool {
      one.nanoseconds == other.nanoseconds
    }
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 292 years in either direction. Fractions of a
  /// nanosecond are dropped.
  @usableFromInline package var wholeNanoseconds: Int64 {
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }
}

import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TimeSource {
  /// A moment, as the time since 1970-01-01 00:00 UTC: to the nanosecond, from 1677 to 2262.
  ///
  /// Not a `Date`: a date of today is exact to 120 ns only, two hits long. What lies before or
  /// after those years is brought to the nearest moment within, so that no sum of moments and spans
  /// overflows; parts of a nanosecond are dropped.
  public struct Instant: InstantProtocol, Codable, Sendable {
    @usableFromInline let nanoseconds: Int64

    @inlinable
    init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The last one there is, in the year 2262.
    @inlinable static var last: Instant { Instant(nanoseconds: .max) }

    /// The time since 1970-01-01 00:00 UTC, negative before it.
    public var sinceEpoch: Duration { .nanoseconds(nanoseconds) }

    /// Makes a moment from the time since 1970-01-01 00:00 UTC.
    public init(sinceEpoch: Duration) { nanoseconds = sinceEpoch.wholeNanoseconds }

    /// Makes a moment from a date.
    public init(_ date: Date) {
      let seconds = date.timeIntervalSince1970
      let bounded = seconds.isNaN ? 0 : min(max(seconds, -9_200_000_000), 9_200_000_000)
      self.init(sinceEpoch: .seconds(bounded))
    }

    /// Returns the moment that is `duration` later, or earlier for a negative one.
    public func advanced(by duration: Duration) -> Instant {
      advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    @inlinable
    func advanced(byNanoseconds duration: Int64) -> Instant {
      let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(duration)
      return Instant(nanoseconds: isTooMuch ? (duration < 0 ? .min : .max) : sum)
    }

    /// Returns the time from this moment to another, negative if that is earlier.
    public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }

    /// Whether one moment is before another.
    @inlinable
    public static func < (one: Instant, other: Instant) -> Bool {
      one.nanoseconds < other.nanoseconds
    }

    /// Whether two moments are the same.
    @inlinable
    public static func == (one: Instant, other: Instant) -> Bool {
      one.nanoseconds == other.nanoseconds
    }
  }
}

extension Duration {
  /// The span in nanoseconds, as far as 292 years either way; parts of one are dropped.
  @usableFromInline var wholeNanoseconds: Int64 {
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }
}

/// A clock in nanoseconds that only runs, and also while the machine is asleep.
///
/// What `ContinuousClock` reads, at a third of the time.
func runningNanoseconds() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
  #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  #endif
}

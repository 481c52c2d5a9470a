import Dispatch
import Foundation

/// Where time comes from: what the time is, and how to be called later.
///
/// Whatever waits or measures takes a time source, `.system` unless told otherwise, so that a test
/// replaces hours of waiting by one call of ``ManualTime/advance(by:)``.
///
///     let (time, clock) = TimeSource.manual()
///     let late = Promise(1).delayed(by: .seconds(3600), on: time)
///     clock.advance(by: .seconds(3600))  // late is there
///
/// Both closures may be called from any thread.
public struct TimeSource: Sendable {
  /// Returns the present moment.
  public let now: @Sendable () -> Instant

  /// Calls a closure once, not before the duration has passed, and returns what calls that off.
  ///
  /// A duration of zero or less means as soon as possible, and never on the caller's stack. What is
  /// returned may be called more than once, and after the closure ran, without effect.
  public let after: After

  /// The type of ``after``: takes a delay and a closure, returns what calls it off.
  public typealias After =
    @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// Makes a time source from its two functions.
  ///
  /// - Parameters:
  ///   - now: As ``now``.
  ///   - after: As ``after``.
  public init(now: @escaping @Sendable () -> Instant, after: @escaping After) {
    self.now = now
    self.after = after
  }

  /// Makes a time source of the moment it starts at and a clock that only runs.
  ///
  /// - Law: setting the wall clock back or forward changes nothing: `clock.running`; see `TimeLaws`.
  init(
    startingAt start: Instant, elapsed: @escaping @Sendable () -> Duration, after: @escaping After
  ) {
    let start = start.sinceEpoch
    self.init(now: { Instant(sinceEpoch: start + elapsed()) }, after: after)
  }

  /// A moment, as the time since 1970-01-01 00:00 UTC.
  ///
  /// A `Duration`, and not a `Date`: a date of today is exact to 120 ns only, two hits long.
  public struct Instant: InstantProtocol, Codable, Sendable {
    /// The time since 1970-01-01 00:00 UTC, negative before it.
    public let sinceEpoch: Duration

    /// Makes a moment from the time since 1970-01-01 00:00 UTC.
    @inlinable
    public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// Makes a moment from a date.
    public init(_ date: Date) { sinceEpoch = .seconds(date.timeIntervalSince1970) }

    /// Returns the moment that is `duration` later, or earlier for a negative one.
    ///
    /// It never overflows: moments and spans beyond 70 billion years count as that.
    @inlinable
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceEpoch: sinceEpoch.bounded + duration.bounded)
    }

    /// Returns the time from this moment to another, negative if that is earlier.
    ///
    /// It never overflows: moments beyond 70 billion years count as that.
    @inlinable
    public func duration(to other: Instant) -> Duration {
      other.sinceEpoch.bounded - sinceEpoch.bounded
    }

    /// Whether one moment is before another.
    @inlinable
    public static func < (one: Instant, other: Instant) -> Bool {
      one.sinceEpoch < other.sinceEpoch
    }
  }

  /// The time of this machine: the wall clock at the first use, plus the monotonic time since.
  ///
  /// A clock that is set back or forward changes nothing in a running process; time asleep counts.
  /// Closures run on a global dispatch queue.
  public static let system: TimeSource = {
    let start = ContinuousClock.now
    return TimeSource(
      startingAt: Instant(Date()), elapsed: { start.duration(to: .now) },
      after: { delay, work in
        let source = DispatchSource.makeTimerSource(queue: .global())
        let timer = Lock<(any DispatchSourceTimer)?>(source)
        source.schedule(deadline: .now() + delay.dispatchInterval)
        source.setEventHandler {
          if let source = timer.withLock({ $0.take() }) {
            source.cancel()
            work()
          }
        }
        source.activate()
        return { timer.withLock { $0.take() }?.cancel() }
      })
  }()
}

extension Duration {
  /// The same span, at most 2 to the 61 seconds either way: two of them can be added.
  @inlinable var bounded: Duration {
    min(max(self, .seconds(-1 << 61)), .seconds(1 << 61))
  }

  /// The same span for Dispatch, at least nothing and at most a hundred years.
  var dispatchInterval: DispatchTimeInterval {
    let bounded = min(max(self, .zero), .seconds(100 * 365 * 86_400))
    let (seconds, attoseconds) = bounded.components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}

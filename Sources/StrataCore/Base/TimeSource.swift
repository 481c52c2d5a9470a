import Dispatch
import Foundation

/// A clock and a timer.
///
/// Everything in Strata that waits or measures time takes a time source. The default is `.system`.
/// Tests can pass a manual time source instead, and replace hours of waiting with one call of
/// ``ManualTime/advance(by:)``.
///
///     let (clock, time) = TimeSource.manual()
///     let late = Promise(1).delayed(by: .seconds(3600), clock: clock)
///     time.advance(by: .seconds(3600))  // late has settled
///
/// You can call the closures `now` and `after` on any thread.
public struct TimeSource: Sendable {
  /// Returns the current time.
  @inlinable public var now: @Sendable () -> Instant { functions.now }

  /// Calls a closure once, after a delay, and returns a function that cancels the call.
  ///
  /// With a delay of zero or less, the closure runs as soon as possible, but never on the caller's
  /// stack. You can call the returned function several times. After the closure has run, such a
  /// call has no effect.
  @inlinable public var after: After { functions.after }

  /// The type of ``after``: a function that takes a delay and a closure, and returns a function
  /// that cancels the call.
  public typealias After =
    @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// The maximum number of nanoseconds by which the coarse time is behind the exact time: ten
  /// seconds. Normally, it's at most 10 ms behind, because the system updates it every 1 to 10 ms.
  /// In ten seconds, the system makes at least 1,000 updates. So even if it misses many of them in
  /// a row, the coarse time stays within this limit.
  @usableFromInline static let precision: Int64 = 10_000_000_000

  /// Creates a time source from its two functions.
  ///
  /// - Parameters:
  ///   - now: A function that returns the current time. See ``now``.
  ///   - after: A function that calls a closure after a delay. See ``after``.
  public init(now: @escaping @Sendable () -> Instant, after: @escaping After) {
    self.init(now: now, coarse: nil, after: after)
  }

  /// Creates a time source that can also return a coarse time. See `Functions`.
  init(
    now: @escaping @Sendable () -> Instant, coarse: (@Sendable () -> Instant)?,
    after: @escaping After
  ) {
    functions = Functions(now, coarse, after)
  }

  /// Creates a time source from a start time and a monotonic clock that returns nanoseconds.
  ///
  /// - Law: Setting the wall clock back or forward has no effect on the time source. See
  ///   `clock.running` and `TimeLaws`.
  init(
    startingAt start: Instant, elapsed: @escaping @Sendable () -> Int64, after: @escaping After
  ) {
    let start = start.nanoseconds
    self.init(now: { Instant(nanoseconds: start &+ elapsed()) }, after: after)
  }

  /// The time of this machine: the time of the wall clock at the first use, plus the monotonic time
  /// since then.
  ///
  /// Changes of the wall clock while the process runs don't change this time. Ages and deadlines
  /// include the time for which the machine sleeps, but a running timer pauses during the sleep.
  /// Scheduled closures run on separate threads. So a program that blocks the threads of its
  /// dispatch queues or of its tasks doesn't delay the closures. A closure that blocks doesn't
  /// delay the others either, as long as fewer than 64 closures block.
  public static let system: TimeSource = {
    let start = runningNanoseconds()
    let exact = TimeSource(
      startingAt: Instant(Date()), elapsed: { runningNanoseconds() &- start },
      after: { delay, work in TimerThreads.shared.schedule(after: delay, work) })
    return TimeSource(now: exact.now, coarse: CoarseClock(exact.now).read, after: exact.after)
  }()

  /// Whether the current time isn't before `start`, and is before `end`.
  ///
  /// The exact time is never earlier than the coarse time, and at most `precision` nanoseconds
  /// later. So if both of these times are in the interval, the exact time is in it as well. In this
  /// case, the function doesn't read the exact time.
  @inlinable
  package func isNow(from start: Instant, until end: Instant) -> Bool {
    if let time = functions.coarse?(), start <= time,
      time.advanced(byNanoseconds: TimeSource.precision) < end
    {
      return true
    }
    let now = now()
    return start <= now && now < end
  }

  @usableFromInline let functions: Functions

  /// The functions of a time source, in one object, so copying a time source copies only one
  /// reference.
  @usableFromInline
  final class Functions: Sendable {
    @usableFromInline let now: @Sendable () -> Instant
    /// Returns a time that is never later than `now`, and at most `precision` nanoseconds earlier.
    @usableFromInline let coarse: (@Sendable () -> Instant)?
    @usableFromInline let after: After

    init(
      _ now: @escaping @Sendable () -> Instant, _ coarse: (@Sendable () -> Instant)?,
      _ after: @escaping After
    ) {
      (self.now, self.coarse, self.after) = (now, coarse, after)
    }
  }
}

extension Duration {
  /// The duration as a Dispatch interval, clamped to the range from 0 to 100 years.
  var dispatchInterval: DispatchTimeInterval {
    let bounded = min(max(self, .zero), .seconds(100 * 365 * 86_400))
    return .nanoseconds(Int(bounded.wholeNanoseconds))
  }
}

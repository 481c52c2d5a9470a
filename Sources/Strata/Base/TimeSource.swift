import Dispatch
import Foundation

/// A clock and a timer.
///
/// Everything that waits or measures time takes a time source. The default is `.system`. A test
/// passes a manual time source instead, and replaces hours of waiting with one call of
/// ``ManualTime/advance(by:)``.
///
///     let (time, clock) = TimeSource.manual()
///     let late = Promise(1).delayed(by: .seconds(3600), clock: time)
///     clock.advance(by: .seconds(3600))  // late has settled
///
/// Both closures may be called from any thread.
public struct TimeSource: Sendable {
  /// Returns the current time.
  public let now: @Sendable () -> Instant

  /// Calls a closure once, after a delay, and returns a function that cancels the call.
  ///
  /// With a delay of zero or less, the closure runs as soon as possible, but never on the caller's
  /// stack. The returned function may be called several times. Calling the function after the
  /// closure has run has no effect.
  public let after: After

  /// The type of ``after``: a function that takes a delay and a closure, and returns a function
  /// that cancels the call.
  public typealias After =
    @Sendable (_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// Creates a time source from its two functions.
  ///
  /// - Parameters:
  ///   - now: A function that returns the current time. See ``now``.
  ///   - after: A function that calls a closure after a delay. See ``after``.
  public init(now: @escaping @Sendable () -> Instant, after: @escaping After) {
    self.now = now
    self.after = after
  }

  /// Creates a time source from a start time and a monotonic clock that returns nanoseconds.
  ///
  /// - Law: setting the wall clock back or forward has no effect: `clock.running`. See `TimeLaws`.
  init(
    startingAt start: Instant, elapsed: @escaping @Sendable () -> Int64, after: @escaping After
  ) {
    let start = start.nanoseconds
    self.init(now: { Instant(nanoseconds: start &+ elapsed()) }, after: after)
  }

  /// The time of this machine: the wall clock at the first use, plus the monotonic time since then.
  ///
  /// Setting the wall clock doesn't affect a running process. Time during which the machine sleeps
  /// counts toward ages and deadlines, but a running timer pauses during sleep. Closures run on a
  /// global dispatch queue.
  public static let system: TimeSource = {
    let start = runningNanoseconds()
    return TimeSource(
      startingAt: Instant(Date()), elapsed: { runningNanoseconds() &- start },
      after: { delay, work in
        let source = DispatchSource.makeTimerSource(queue: .global())
        // Dispatch releases the handler of a cancelled source only after some time. The handler
        // doesn't retain the work, so that cancelling the timer releases the work immediately.
        let timer = Lock<Timer?>(Timer(source: source, work: work))
        source.schedule(deadline: .now() + delay.dispatchInterval)
        source.setEventHandler {
          guard let timer = timer.withLock({ $0.take() }) else { return }
          timer.source.cancel()
          timer.work()
        }
        source.activate()
        return { timer.withLock { $0.take() }?.source.cancel() }
      })
  }()

  /// A Dispatch timer and the work that it runs.
  private struct Timer {
    let source: any DispatchSourceTimer
    let work: @Sendable () -> Void
  }
}

extension Duration {
  /// The duration as a Dispatch interval, clamped to the range from 0 to 100 years.
  var dispatchInterval: DispatchTimeInterval {
    let bounded = min(max(self, .zero), .seconds(100 * 365 * 86_400))
    return .nanoseconds(Int(bounded.wholeNanoseconds))
  }
}

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

  /// Makes a time source of the moment it starts at and a clock that only runs, in nanoseconds.
  ///
  /// - Law: setting the wall clock back or forward changes nothing: `clock.running`; see
  ///   `TimeLaws`.
  init(
    startingAt start: Instant, elapsed: @escaping @Sendable () -> Int64, after: @escaping After
  ) {
    let start = start.nanoseconds
    self.init(now: { Instant(nanoseconds: start &+ elapsed()) }, after: after)
  }

  /// The time of this machine: the wall clock at the first use, plus the monotonic time since.
  ///
  /// A clock that is set back or forward changes nothing in a running process; time asleep counts
  /// for ages and deadlines. A wait that has begun does not go on while the machine sleeps.
  /// Closures run on a global dispatch queue.
  public static let system: TimeSource = {
    let start = runningNanoseconds()
    return TimeSource(
      startingAt: Instant(Date()), elapsed: { runningNanoseconds() &- start },
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
  /// The same span for Dispatch, at least nothing and at most a hundred years.
  var dispatchInterval: DispatchTimeInterval {
    let bounded = min(max(self, .zero), .seconds(100 * 365 * 86_400))
    return .nanoseconds(Int(bounded.wholeNanoseconds))
  }
}

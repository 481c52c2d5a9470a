import Foundation

/// The delays before the retries of a get. See
/// ``Cache/retrying(_:backoff:clock:if:)``.
///
///     let patient = Backoff.exponential(from: .seconds(1)).jittered()  // about 1 s, 2 s, 4 s, …
///     let stubborn = Backoff { retry in retry < 3 ? .zero : .seconds(10) }
public struct Backoff: Sendable {
  /// A closure that returns the delay before a retry. Retries are numbered from one.
  ///
  /// It runs on the thread that reports the failure of the previous attempt.
  public let delay: @Sendable (_ retry: Int) -> Duration

  /// Creates a backoff from a function that returns the delay before each retry.
  ///
  /// - Parameter delay: A closure that returns the delay before a retry. Zero or less means an
  ///   immediate retry. Retries are numbered from one.
  public init(_ delay: @escaping @Sendable (_ retry: Int) -> Duration) { self.delay = delay }

  /// The default: about 100 ms before the first retry, and twice as long before each further one,
  /// up to a minute. Random jitter shortens each delay by up to a half.
  ///
  /// Without delays, all clients of an origin that has just failed would call it again at the same
  /// time.
  public static let standard = exponential(from: .milliseconds(100)).jittered()

  /// A backoff without delays, for tests.
  public static let none = constant(.zero)

  /// Returns a backoff with the same delay before every retry.
  public static func constant(_ delay: Duration) -> Backoff { Backoff { _ in delay } }

  /// Returns a backoff with delays that grow by a factor up to a maximum.
  ///
  /// - Parameters:
  ///   - first: The delay before the first retry.
  ///   - factor: The ratio of each delay to the previous delay. Factors below one count as one. The
  ///     default is two.
  ///   - longest: The maximum delay. The default is 60 seconds.
  /// - Law: A delay is never shorter than the previous delay. See
  ///   `BackoffTests.testDelaysGrowToTheLongest`.
  public static func exponential(
    from first: Duration, by factor: Double = 2, atMost longest: Duration = .seconds(60)
  ) -> Backoff {
    let longest = min(max(longest, .zero), .seconds(Int64.max))
    let (start, bound) = (first / .seconds(1), longest / .seconds(1))
    let base = factor.isNaN ? 1 : max(1, factor)
    return Backoff { retry in
      // The delay is computed as a `Double` in seconds, because a `Duration` could overflow.
      let power = min(pow(base, Double(max(1, retry) - 1)), .greatestFiniteMagnitude)
      let seconds = start * power
      guard seconds > 0 else { return .zero }
      return seconds < bound ? .seconds(seconds) : longest
    }
  }

  /// Returns a backoff that shortens each delay at random. So clients whose gets failed at the same
  /// time don't all retry at the same time.
  ///
  /// - Parameters:
  ///   - share: The maximum fraction, from 0 to 1, by which a delay is shortened. The default is
  ///     0.5.
  ///   - random: A closure that returns a random number from 0 to 1. It runs once for each delay.
  /// - Law: A shortened delay is between `(1 - share) * delay` and `delay`. See
  ///   `BackoffTests.testJitterTakesAtMostItsFraction`.
  public func jittered(
    by share: Double = 0.5, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) -> Backoff {
    let share = share.isNaN ? 0 : min(max(share, 0), 1)
    return Backoff { [delay] retry in
      let chance = random()
      // The product would trap near the longest duration that exists.
      let whole = min(max(delay(retry), .seconds(Int64.min)), .seconds(Int64.max))
      return whole * (1 - share * (chance.isNaN ? 0 : min(max(chance, 0), 1)))
    }
  }
}

import Foundation

/// How long to wait before each further attempt; see
/// ``Cache/retrying(_:every:on:if:)-(_,Backoff,_,_)``.
///
///     let patient = Backoff.exponential(from: .seconds(1)).jittered()  // about 1 s, 2 s, 4 s, …
///     let stubborn = Backoff { retry in retry < 3 ? .zero : .seconds(10) }
public struct Backoff: Sendable {
  /// The pause before a retry, by its number from one on; called where the attempt before failed.
  public let pause: @Sendable (_ retry: Int) -> Duration

  /// Makes a backoff of a function from the number of the retry, from one on, to the pause before
  /// it.
  ///
  /// A pause of zero or less is none.
  public init(_ pause: @escaping @Sendable (_ retry: Int) -> Duration) { self.pause = pause }

  /// The same pause before every retry.
  public static func constant(_ pause: Duration) -> Backoff { Backoff { _ in pause } }

  /// Pauses that grow by a factor, up to a longest one.
  ///
  /// - Parameters:
  ///   - first: The pause before the first retry.
  ///   - factor: How many times as long each is as the one before; less than one counts as one.
  ///   - longest: No pause is longer.
  /// - Law: never less than the one before; see `BackoffTests.testPausesGrowToTheLongest`.
  public static func exponential(
    from first: Duration, by factor: Double = 2, atMost longest: Duration = .seconds(60)
  ) -> Backoff {
    let (start, bound) = (first / .seconds(1), longest / .seconds(1))
    let base = factor.isNaN ? 1 : max(1, factor)
    return Backoff { retry in
      // Seconds as a number, for it saturates where a duration overflows.
      let power = min(pow(base, Double(max(1, retry) - 1)), .greatestFiniteMagnitude)
      let seconds = start * power
      guard seconds > 0 else { return .zero }
      return seconds < bound ? .seconds(seconds) : longest
    }
  }

  /// Returns this backoff with a share of each pause left to chance, so that clients that failed
  /// together do not all come back together.
  ///
  /// - Parameters:
  ///   - share: How much of a pause may be missing: from 0, nothing, to 1, all of it.
  ///   - random: A number from 0 to 1, for each pause.
  /// - Law: between `(1 - share) * pause` and `pause`; see
  ///   `BackoffTests.testJitterTakesNoMoreThanItsShare`.
  public func jittered(
    by share: Double = 0.5, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) -> Backoff {
    let share = share.isNaN ? 0 : min(max(share, 0), 1)
    return Backoff { [pause] retry in
      let chance = random()
      return pause(retry) * (1 - share * (chance.isNaN ? 0 : min(max(chance, 0), 1)))
    }
  }
}

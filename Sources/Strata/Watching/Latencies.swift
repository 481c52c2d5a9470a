/// How long things took: a histogram of 48 spans, each twice as long as the one before.
///
///     statistics.snapshot["disk"]?.latency.quantile(0.99)  // 99 of 100 gets took no longer
public struct Latencies: Equatable, Sendable {
  /// How many took how long: at place 0 less than a nanosecond, at place n from 2^(n-1) ns to less
  /// than 2^n ns; the last place has all that took 19 hours or more.
  public private(set) var counts = [Int](repeating: 0, count: 48)

  /// How many there are.
  public var count: Int { counts.reduce(0, +) }

  /// Makes a histogram of nothing.
  public init() {}

  /// Counts one more; a negative duration as none.
  public mutating func note(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = max(0, min(Double(seconds) * 1e9 + Double(attoseconds) / 1e9, 1e15))
    let place = UInt64.bitWidth - UInt64(nanoseconds).leadingZeroBitCount
    counts[min(place, counts.count - 1)] += 1
  }

  /// Returns the time within which a part of them was done, exact to a factor of two: the upper
  /// bound of the span in which that one lies; `nil` of nothing.
  ///
  /// - Parameter part: From 0 to 1; one outside is brought to the nearest.
  /// - Law: `quantile(p) <= quantile(q)` for p <= q; see
  ///   `LatenciesTests.testQuantilesRiseAndBoundWhatWasNoted`.
  public func quantile(_ part: Double) -> Duration? {
    let total = count
    guard total > 0 else { return nil }
    let part = part.isNaN ? 0 : min(max(part, 0), 1)
    let rank = max(1, Int((part * Double(total)).rounded(.up)))
    var passed = 0
    for (place, count) in counts.enumerated() {
      passed += count
      if passed >= rank { return .nanoseconds(Int64(1) << place) }
    }
    return nil
  }
}

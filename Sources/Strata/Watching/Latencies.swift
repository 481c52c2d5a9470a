/// A histogram of durations with 48 buckets. Each bucket is about twice as wide as the previous
/// bucket.
///
///     statistics.snapshot["disk"]?.latency.quantile(0.99)  // 99% of gets took at most this long
public struct Latencies: Equatable, Sendable {
  /// The number of durations in each bucket.
  ///
  /// Bucket 0 counts durations below one nanosecond. Bucket n counts durations of at least 2^(n-1)
  /// ns and less than 2^n ns. The last bucket counts all durations of about 19 hours or more.
  public private(set) var counts = [Int](repeating: 0, count: 48)

  /// The sum of the recorded durations.
  public private(set) var sum = Duration.zero

  /// The number of recorded durations.
  public var count: Int { counts.reduce(0, +) }

  /// Creates an empty histogram.
  public init() {}

  /// Records a duration. A negative duration is recorded as zero.
  ///
  /// - Parameters:
  ///   - duration: The duration.
  ///   - count: The number of operations that took this long. The default is one.
  public mutating func record(_ duration: Duration, count: Int = 1) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = max(0, min(Double(seconds) * 1e9 + Double(attoseconds) / 1e9, 1e15))
    let bucket = UInt64.bitWidth - UInt64(nanoseconds).leadingZeroBitCount
    counts[min(bucket, counts.count - 1)] += count
    sum += .nanoseconds(Int64(nanoseconds)) * count
  }

  /// Returns an upper bound for a quantile of the recorded durations.
  ///
  /// The result is the upper bound of a bucket, from 1 ns to about 39 hours. If the exact quantile
  /// is between 1 ns and 39 hours, the result is at most twice the exact quantile.
  ///
  /// - Parameter fraction: The fraction, clamped to the range from 0 to 1.
  /// - Returns: The duration, or `nil` for an empty histogram.
  /// - Law: `quantile(p) <= quantile(q)` for p <= q. See
  ///   `LatenciesTests.testQuantilesRiseAndBoundTheRecordedDurations`.
  public func quantile(_ fraction: Double) -> Duration? {
    let total = count
    guard total > 0 else { return nil }
    let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let rank = max(1, Int((fraction * Double(total)).rounded(.up)))
    var passed = 0
    for (bucket, count) in counts.enumerated() {
      passed += count
      if passed >= rank { return .nanoseconds(Int64(1) << bucket) }
    }
    return nil
  }
}

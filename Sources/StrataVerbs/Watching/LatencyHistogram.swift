/// A histogram of durations with 48 buckets, each of which is about twice as wide as the one
/// before.
///
///     statistics.snapshot["disk"]?.latency.quantile(0.99)  // 99% of gets took at most this long
public struct LatencyHistogram: Equatable, Sendable {
  /// The number of durations in each bucket.
  ///
  /// Bucket 0 counts durations below one nanosecond. Bucket n counts durations of at least 2^(n-1)
  /// ns and less than 2^n ns. The last bucket counts all durations of about 19 hours or more.
  public private(set) var counts = [Int](repeating: 0, count: 48)

  /// The sum of the recorded durations.
  public private(set) var sum = Duration.zero

  /// The number of recorded durations.
  public var count: Int { counts.reduce(into: 0) { $0.add($1) } }

  /// Creates an empty histogram.
  public init() {}

  /// Records a duration. A negative duration counts as zero.
  ///
  /// - Parameters:
  ///   - duration: The duration. A duration above 11 days counts as 11 days.
  ///   - count: The number of operations that took this long. The default is one. A negative number
  ///     counts as zero.
  public mutating func record(_ duration: Duration, count: Int = 1) {
    let nanoseconds = max(0, min(duration.wholeNanoseconds, 1_000_000_000_000_000))
    let bucket = Int64.bitWidth - nanoseconds.leadingZeroBitCount
    counts[min(bucket, counts.count - 1)].add(max(0, count))
    let (total, isTooMuch) = nanoseconds.multipliedReportingOverflow(by: Int64(max(0, count)))
    sum = min(sum + (isTooMuch ? .seconds(Int64.max) : .nanoseconds(total)), .seconds(Int64.max))
  }

  /// Returns an upper bound for a quantile of the recorded durations.
  ///
  /// The result is the upper bound of a bucket, from 1 ns to about 39 hours. In this range, it's at
  /// most twice the exact quantile.
  ///
  /// - Parameter fraction: The fraction, clamped to the range from 0 to 1.
  /// - Returns: The duration, or `nil` for an empty histogram.
  /// - Law: `quantile(p) <= quantile(q)` for p <= q. See
  ///   `LatencyHistogramTests.testQuantilesRiseAndBoundTheRecordedDurations`.
  public func quantile(_ fraction: Double) -> Duration? {
    let total = count
    guard total > 0 else { return nil }
    let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    // Rounding can yield 2^63, which isn't an `Int`.
    let rank = max(1, Int(exactly: (fraction * Double(total)).rounded(.up)) ?? total)
    var passed = 0
    for (bucket, count) in counts.enumerated() {
      passed.add(count)
      if passed >= rank { return .nanoseconds(Int64(1) << bucket) }
    }
    return nil
  }
}

extension Int {
  /// Adds a nonnegative number. If the sum would overflow, it becomes the greatest `Int`. Counts
  /// and sizes from a user's events are added in this way, because an overflow would end the
  /// process.
  mutating func add(_ number: Int) {
    let (sum, isTooMuch) = addingReportingOverflow(number)
    self = isTooMuch ? .max : sum
  }
}

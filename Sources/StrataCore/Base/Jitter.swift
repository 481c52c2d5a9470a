/// Shortens durations by random amounts, so that entries stored at the same time don't all expire
/// at the same time.
@usableFromInline
package struct Jitter: Sendable {
  package let fraction: Double

  /// - Parameter fraction: The maximum fraction by which to shorten a duration, clamped to the
  ///   range from 0 to 1. NaN counts as 0.
  @usableFromInline
  package init(_ fraction: Double) { self.fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1) }

  /// Returns a duration in nanoseconds, shortened by an amount that depends on the key and the
  /// time.
  ///
  /// Within one process, the same arguments always give the same amount.
  @usableFromInline
  package func shortening(
    _ duration: Int64, of hash: @autoclosure () -> Int, at time: TimeSource.Instant
  ) -> Int64 {
    guard fraction > 0, duration > 0 else { return duration }
    var hasher = Hasher()
    hasher.combine(hash())
    hasher.combine(time)
    let chance = Double(UInt64(truncatingIfNeeded: hasher.finalize()) >> 11) * 0x1p-53
    return max(0, duration - Int64(Double(duration) * (fraction * chance) * 0.999_999))
  }
}

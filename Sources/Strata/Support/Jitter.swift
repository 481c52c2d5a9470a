/// How much shorter than asked for a time may be, so that what came at one moment does not go at
/// one.
@usableFromInline
struct Jitter: Sendable {
  let part: Double

  /// - Parameter part: Brought to 0 to 1; 0 if it is not a number.
  @usableFromInline
  init(_ part: Double) { self.part = part.isNaN ? 0 : min(max(part, 0), 1) }

  /// The time in nanoseconds, shorter by a part that key and moment decide: the same each time in
  /// one process.
  @usableFromInline
  func shortening(
    _ time: Int64, of hash: @autoclosure () -> Int, at moment: TimeSource.Instant
  ) -> Int64 {
    guard part > 0, time > 0 else { return time }
    var hasher = Hasher()
    hasher.combine(hash())
    hasher.combine(moment)
    let fraction = Double(UInt64(truncatingIfNeeded: hasher.finalize()) >> 11) * 0x1p-53
    return max(0, time - Int64(Double(time) * (part * fraction) * 0.999_999))
  }
}

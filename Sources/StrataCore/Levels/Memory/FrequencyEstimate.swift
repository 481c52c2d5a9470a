/// An estimate of how often a hash was looked up recently. It's renewed whenever the sketch counts
/// a lookup of the hash.
///
/// Each node stores its estimate, because other keys share the sketch's counters and make later
/// estimates less exact.
@usableFromInline
struct FrequencyEstimate {
  /// The count in the upper four bits, and the epoch in the lower twelve bits.
  @usableFromInline let bits: UInt16

  @inline(__always)
  init(_ count: UInt64, _ epoch: UInt32) {
    bits = UInt16(truncatingIfNeeded: count &<< 12 | UInt64(epoch & 0xfff))
  }

  /// Returns the count, halved once for each epoch since the estimate was taken.
  @inline(__always)
  func count(at epoch: UInt32) -> Int {
    let halvings = (epoch &- UInt32(bits)) & 0xfff
    return Int(bits) &>> Int(12 &+ min(halvings, 4))
  }
}

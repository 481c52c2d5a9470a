/// An approximate count of the lookups of a hash, as of its last increment in the sketch.
///
/// Each node stores its estimate, because an estimate that is read later from the sketch is less
/// exact.
@usableFromInline
struct FrequencyEstimate {
  /// The count in the upper four bits, and the epoch in the lower twelve bits.
  @usableFromInline let bits: UInt16

  @inline(__always)
  init(_ count: UInt64, _ epoch: UInt32) {
    bits = UInt16(truncatingIfNeeded: count &<< 12 | UInt64(epoch & 0xfff))
  }

  /// Returns the count, halved once for each epoch since the last increment.
  @inline(__always)
  func count(at epoch: UInt32) -> Int {
    let halvings = (epoch &- UInt32(bits)) & 0xfff
    return Int(bits) &>> Int(12 &+ min(halvings, 4))
  }
}

/// How often a hash had been seen, roughly, when it was last counted: remembered where it is used,
/// as what the sketch says later of one that was not counted since is only more mistaken.
@usableFromInline
struct Sightings {
  /// Four bits of the count, twelve of the halvings there had been.
  @usableFromInline let bits: UInt16

  @inline(__always)
  init(_ count: UInt64, _ epoch: UInt32) {
    bits = UInt16(truncatingIfNeeded: count &<< 12 | UInt64(epoch & 0xfff))
  }

  /// How often it is now, after so many halvings.
  @inline(__always)
  func count(at epoch: UInt32) -> Int {
    let halvings = (epoch &- UInt32(bits)) & 0xfff
    return Int(bits) &>> Int(12 &+ min(halvings, 4))
  }
}

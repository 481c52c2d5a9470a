/// A random number generator with a seed (SplitMix64).
///
///     var random = SeededGenerator(seed: 7)
///     Int.random(in: 0..<10, using: &random)  // the same on every machine
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator. Equal seeds produce equal sequences.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a new, independent generator: numbers drawn from one of the two don't change those of
  /// the other.
  package mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }
}

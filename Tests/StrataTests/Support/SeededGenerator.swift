import Foundation

/// Random numbers that come again: SplitMix64, from a seed.
///
/// The seed is fixed, so that a run repeats the last one; `STRATA_SEED` in the environment sets
/// another, and a failure prints the one it happened with.
struct SeededGenerator: RandomNumberGenerator {
  static let seed =
    ProcessInfo.processInfo.environment["STRATA_SEED"].flatMap { UInt64($0) } ?? 20_250_915

  private var state: UInt64

  /// Makes the generator of one case: `stream` tells the cases of a run apart.
  init(stream: Int = 0) {
    state = Self.seed &+ UInt64(truncatingIfNeeded: stream) &* 0xD1B5_4A32_D192_ED03
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Whether something happens that happens once in `n` times.
  mutating func chance(of n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}

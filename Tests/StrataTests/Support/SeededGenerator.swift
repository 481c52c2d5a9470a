import Foundation

/// A random source that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Makes the generator of one case: `stream` tells the cases of a run apart.
  init(stream: Int) {
    state = Seed.value &+ UInt64(truncatingIfNeeded: stream) &* 0xD1B5_4A32_D192_ED03
  }

  /// Whether something happens that happens once in `n` times.
  mutating func chance(of n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// The seed of all random tests: fixed, unless `STRATA_SEED` says otherwise.
enum Seed {
  static var value: UInt64 {
    ProcessInfo.processInfo.environment["STRATA_SEED"].flatMap(UInt64.init) ?? 20_260_601
  }
}

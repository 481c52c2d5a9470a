import StrataLaws

extension SeededGenerator {
  /// Creates the random number generator for one test case. Each case of a run uses a different
  /// `stream`.
  init(stream: Int) {
    self.init(
      seed: LawSeed.value &+ UInt64(truncatingIfNeeded: stream) &* 0xD1B5_4A32_D192_ED03)
  }

  /// Returns `true` once in `n` calls on average.
  mutating func chance(of n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}

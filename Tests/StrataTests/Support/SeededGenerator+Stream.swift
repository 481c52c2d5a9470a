import StrataLaws

extension SeededGenerator {
  /// Makes the generator of one case: `stream` tells the cases of a run apart.
  init(stream: Int) {
    self.init(
      seed: Seed.value &+ UInt64(truncatingIfNeeded: stream) &* 0xD1B5_4A32_D192_ED03)
  }

  /// Whether something happens that happens once in `n` times.
  mutating func chance(of n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}

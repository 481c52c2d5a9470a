import Foundation

/// Repeatable random numbers that follow Zipf's law.
struct Zipf: Sendable {
  /// The cumulative weights.
  private let sums: [Double]
  private var random: Randomness

  /// - Parameters:
  ///   - count: The number of ranks. Rank 0 is the most frequent rank.
  ///   - theta: The exponent. With 0, all ranks are equally frequent.
  init(_ count: Int, theta: Double, seed: UInt64) {
    var sum = 0.0
    sums = (1...max(1, count)).map { rank in
      sum += pow(Double(rank), -theta)
      return sum
    }
    random = Randomness(seed: seed)
  }

  mutating func next() -> Int {
    let point = Double.random(in: 0..<(sums.last ?? 1), using: &random)
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > point { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A random number generator with a seed (SplitMix64, by Steele, Lea and Flood).
struct Randomness: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

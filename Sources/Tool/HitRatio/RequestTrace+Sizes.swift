import Foundation

/// Distributions of synthetic entry sizes in bytes. Every key of a trace has one size.
enum MadeSizes: String, CaseIterable {
  /// Log-normal sizes with a median of 8,000 bytes. Their logarithm has a standard deviation of
  /// 1.5.
  case lognormal
  /// Log-normal sizes that are smaller for popular keys.
  case lognormalSmall = "lognormal-small"
  /// Log-normal sizes that are larger for popular keys.
  case lognormalLarge = "lognormal-large"
  /// Sizes that follow a Pareto distribution with a minimum of 1,000 bytes and a shape parameter of
  /// 1.2.
  case pareto
  /// Sizes that follow the same Pareto distribution as `pareto`. More popular keys tend to have
  /// smaller sizes.
  case paretoSmall = "pareto-small"
  /// Sizes that follow the same Pareto distribution as `pareto`. More popular keys tend to have
  /// larger sizes.
  case paretoLarge = "pareto-large"

  /// Returns a size for each key, given the number of requests for each key. For `lognormal` and
  /// `pareto`, size and popularity don't correlate. For the others, the absolute value of their
  /// rank correlation is about 0.7.
  func sizes(of counts: [Int]) -> [Int] {
    var random = Randomness(seed: 2)
    let sizes = counts.map { _ in size(&random) }.sorted()
    let ranks = counts.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }
    var scores = counts.map { _ in Double.random(in: 0..<1, using: &random) }
    for (rank, key) in ranks.enumerated() {
      scores[key] += direction * Double(rank) / Double(counts.count)
    }
    var result = sizes
    let keys = counts.indices.sorted { (scores[$0], $0) < (scores[$1], $1) }
    for (key, size) in zip(keys, sizes) { result[key] = size }
    return result
  }

  private var direction: Double {
    switch self {
    case .lognormal, .pareto: 0
    case .lognormalSmall, .paretoSmall: -1
    case .lognormalLarge, .paretoLarge: 1
    }
  }

  private func size(_ random: inout Randomness) -> Int {
    let one = 1 - Double.random(in: 0..<1, using: &random)
    let two = Double.random(in: 0..<1, using: &random)
    switch self {
    case .pareto, .paretoSmall, .paretoLarge: return Int(min(1e8, 1000 * pow(one, -1 / 1.2)))
    case .lognormal, .lognormalSmall, .lognormalLarge:
      let normal = (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
      return max(1, Int(8000 * exp(1.5 * normal)))
    }
  }
}

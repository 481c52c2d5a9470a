/// The median and the quartiles of a measurement across all rounds.
struct Spread: Equatable, Sendable, Codable {
  let median: Double
  /// The lower quartile. Half of the measurements are between the lower and the upper quartile.
  let lowerQuartile: Double
  let upperQuartile: Double
  let minimum: Double
  let maximum: Double

  /// Calculates the spread of values, or returns `nil` if there are no values.
  init?(_ values: some Sequence<Double>) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    (minimum, maximum) = (first, last)
    (lowerQuartile, median, upperQuartile) = (sorted[at: 0.25], sorted[at: 0.5], sorted[at: 0.75])
  }
}

extension [Double] {
  /// Returns a quantile of this sorted array, calculated by linear interpolation.
  fileprivate subscript(at part: Double) -> Double {
    let position = part * Double(count - 1)
    let lower = Int(position)
    let upper = Swift.min(lower + 1, count - 1)
    return self[lower] + (self[upper] - self[lower]) * (position - Double(lower))
  }
}

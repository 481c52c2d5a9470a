/// How a figure was spread over the rounds: the middle of it, and how far it can be trusted.
struct Spread: Equatable, Sendable, Codable {
  let median: Double
  /// A quarter of the rounds was lower, or higher.
  let lowerQuartile: Double
  let upperQuartile: Double
  let minimum: Double
  let maximum: Double

  /// Of no values at all it is `nil`.
  init?(_ values: some Sequence<Double>) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    (minimum, maximum) = (first, last)
    (lowerQuartile, median, upperQuartile) = (sorted[at: 0.25], sorted[at: 0.5], sorted[at: 0.75])
  }
}

extension [Double] {
  /// The value below which this part of a sorted array lies, between its neighbours in proportion.
  fileprivate subscript(at part: Double) -> Double {
    let position = part * Double(count - 1)
    let lower = Int(position)
    let upper = Swift.min(lower + 1, count - 1)
    return self[lower] + (self[upper] - self[lower]) * (position - Double(lower))
  }
}

import Foundation

/// AdaptSize (Berger, Sitaraman and Harchol-Balter, "AdaptSize: Orchestrating the Hot Object Memory
/// Cache in a Content Delivery Network", NSDI 2017).
///
/// An LRU cache that admits a key with the probability e^(-size / c), where `c` is a tunable size.
/// After each interval, the policy chooses a new `c`: the size for which a Markov model of recent
/// requests predicts the most hits.
struct AdaptSize: ReplacementPolicy {
  /// The number of requests after which the policy adjusts its admission probabilities again. In
  /// the AdaptSize paper, this number is 500,000, because the paper's traces are longer.
  private static let interval = 20_000

  private let capacity: Int
  private let sizes: [Int]
  private var lru: LRU
  private var c: Double
  private var random = Randomness(seed: 1)
  private var requests = 0
  private var counts: [Double]  // The number of requests for each key in the current interval.
  private var rates: [Double]  // Moving averages per interval.

  init(capacity: Int, sizes: [Int]) {
    (self.capacity, self.sizes) = (capacity, sizes)
    lru = LRU(capacity: capacity, sizes: sizes)
    c = Double(capacity)
    counts = Array(repeating: 0, count: sizes.count)
    rates = counts
  }

  mutating func access(_ key: Int) -> Bool {
    requests += 1
    counts[key] += 1
    if requests % Self.interval == 0 { adapt() }
    if lru.isHeld[key] { return lru.access(key) }
    let chance = exp(-Double(sizes[key]) / c)
    if Double.random(in: 0..<1, using: &random) < chance { _ = lru.access(key) }
    return false
  }

  private mutating func adapt() {
    let isFirst = requests == Self.interval
    for key in counts.indices {
      rates[key] = isFirst ? counts[key] : 0.7 * counts[key] + 0.3 * rates[key]
      counts[key] = 0
    }
    let known = rates.indices.filter { rates[$0] > 0.05 }
    let objects = known.map { (rate: rates[$0], size: Double(sizes[$0])) }
    let steps = Int(2 * log2(Double(max(2, capacity)))) + 2
    let candidates = (0...steps).map { pow(2, Double($0) / 2) }
    let ratios = candidates.map { modelHits(of: objects, with: $0) }
    if let best = ratios.indices.max(by: { ratios[$0] < ratios[$1] }) { c = candidates[best] }
  }

  /// Returns the expected number of hits per interval. Che's approximation assumes that every key
  /// stays cached for the same duration after its last request. The longer this duration, the more
  /// space the cached keys need. So the function searches for the longest duration for which their
  /// expected size is at most the capacity.
  private func modelHits(of objects: [(rate: Double, size: Double)], with c: Double) -> Double {
    let chances = objects.map { exp(-$0.size / c) }
    func sums(_ time: Double) -> (bytes: Double, hits: Double) {
      var (bytes, hits) = (0.0, 0.0)
      for (object, chance) in zip(objects, chances) {
        let odds = (exp(min(50, object.rate * time)) - 1) * chance
        bytes += object.size * odds / (1 + odds)
        hits += object.rate * odds / (1 + odds)
      }
      return (bytes, hits)
    }
    // The search covers durations from 2^-14 to 2^10 intervals. `low` and `high` contain base-2
    // logarithms of durations.
    var (low, high) = (-14.0, 10.0)
    for _ in 0..<10 {
      let middle = (low + high) / 2
      if sums(pow(2, middle)).bytes > Double(capacity) { high = middle } else { low = middle }
    }
    return sums(pow(2, low)).hits
  }
}

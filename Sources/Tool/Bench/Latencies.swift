/// How long each of many operations took, in nanoseconds.
struct Latencies {
  private var times: [Double] = []

  mutating func add(_ time: Double) { times.append(time) }

  var count: Int { times.count }
  var mean: Double { times.reduce(0, +) / Double(max(1, times.count)) }
  var worst: Double { times.max() ?? .nan }

  /// The time that this part of the operations did not exceed, for each part.
  func percentiles(_ parts: [Double]) -> [Double] {
    let sorted = times.sorted()
    guard let last = sorted.last else { return parts.map { _ in .nan } }
    return parts.map { part in
      let place = Int((part * Double(sorted.count)).rounded(.up)) - 1
      return place < sorted.count ? sorted[max(0, place)] : last
    }
  }

  /// Does something, and returns with its result how many nanoseconds that took.
  static func timing<Result>(
    _ operation: () throws -> Result
  ) rethrows -> (result: Result, time: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try operation()
    return (result, (clock.now - start) / .nanoseconds(1))
  }
}

/// The durations of many operations, in nanoseconds.
struct OperationTimes {
  private var times: [Double] = []

  mutating func add(_ time: Double) { times.append(time) }

  var count: Int { times.count }
  var mean: Double { times.reduce(0, +) / Double(max(1, times.count)) }
  var worst: Double { times.max() ?? .nan }

  /// Returns the duration at each of the given quantiles, which are numbers from 0 to 1.
  func percentiles(_ parts: [Double]) -> [Double] {
    let sorted = times.sorted()
    guard let last = sorted.last else { return parts.map { _ in .nan } }
    return parts.map { part in
      let index = Int((part * Double(sorted.count)).rounded(.up)) - 1
      return index < sorted.count ? sorted[max(0, index)] : last
    }
  }

  /// Runs an operation and returns its result and its duration in nanoseconds.
  static func timing<Result>(
    _ operation: () throws -> Result
  ) rethrows -> (result: Result, time: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try operation()
    return (result, (clock.now - start) / .nanoseconds(1))
  }
}

/// A measurement that alternates between the cases of a benchmark, so a disturbance affects all
/// cases alike.
struct Measurement {
  let benchmark: (group: Group, title: String)
  let subjects: [BenchmarkCase]
  let rounds: Int
  let sample: Duration

  let meter: Meter

  /// The measured quantity.
  enum Meter {
    case time
    /// The processor time of all threads of this process.
    case processorTime
  }

  private let clock = ContinuousClock()

  init(
    of benchmark: (group: Group, title: String), _ subjects: [BenchmarkCase], rounds: Int,
    sample: Duration, meter: Meter = .time
  ) {
    (self.benchmark, self.subjects, self.rounds, self.sample) = (
      benchmark, subjects, rounds, sample
    )
    self.meter = meter
  }

  /// Warms up the cases, measures times, and counts allocations. Returns one row per case.
  func rows() async throws -> [Row] {
    var counts: [Int] = []
    for subject in subjects { counts.append(try await warmUp(subject)) }
    var times = subjects.map { _ in [Double]() }
    for round in 0..<rounds {
      for turn in subjects.indices {
        let index = (turn + round) % subjects.count  // Each round begins with a different case.
        times[index].append(try await time(subjects[index], counts[index]))
      }
    }
    var heap: [(allocations: Double, bytes: Double)?] = []
    for (subject, count) in zip(subjects, counts) { heap.append(try await weigh(subject, count)) }
    return subjects.indices.compactMap { row(at: $0, times, heap[$0]) }
  }

  /// Doubles the number of operations until three successive samples reach the target duration, or
  /// until the number reaches the case's limit. One long sample isn't enough, because the system
  /// might have suspended the thread during that sample.
  private func warmUp(_ subject: BenchmarkCase) async throws -> Int {
    var count = 1
    while true {
      var shortest = Duration.seconds(3600)
      for _ in 0..<3 where shortest >= sample {
        shortest = min(shortest, try await clock.measure { try await subject.run(count) })
      }
      if shortest >= sample || count >= subject.limit { return count }
      count = min(count * 2, subject.limit)
    }
  }

  /// Returns the time per operation in nanoseconds.
  private func time(_ subject: BenchmarkCase, _ count: Int) async throws -> Double {
    let before = ProcessorTime.now
    var duration = try await clock.measure { try await subject.run(count) }
    if meter == .processorTime { duration = ProcessorTime.now - before }
    return duration / .nanoseconds(1) / Double(count * subject.operationsEach)
  }

  private func weigh(_ subject: BenchmarkCase, _ count: Int) async throws -> (Double, Double)? {
    let count = min(count, 10_000)
    let heap = try await Heap.count { try await subject.run(count) }
    let operations = Double(count * subject.operationsEach)
    return heap.map { (Double($0.allocations) / operations, Double($0.bytes) / operations) }
  }

  private func row(
    at index: Int, _ times: [[Double]], _ heap: (allocations: Double, bytes: Double)?
  ) -> Row? {
    let subject = subjects[index]
    let ratios = zip(times[index], times[0]).map { $0 / $1 }
    guard let figure = Spread(times[index]), let ratio = Spread(ratios) else { return nil }
    let checks = subject.targets.map { target in
      Row.Check(target: target, figure: figureFor(target, at: index, times, heap?.allocations))
    }
    return Row(
      group: benchmark.group, benchmark: benchmark.title, subject: subject.name, figure: figure,
      ratio: ratio, allocations: heap?.allocations, bytes: heap?.bytes, checks: checks,
      fault: subject.fault())
  }

  private func figureFor(
    _ target: Target, at index: Int, _ times: [[Double]], _ allocations: Double?
  ) -> Double? {
    let others = { (name: String?) in
      name.map { name in subjects.firstIndex { $0.name == name } } ?? 0
    }
    switch target.measure {
    case .ratio(let name):
      guard let other = others(name) else { return nil }
      return Spread(zip(times[index], times[other]).map { $0 / $1 })?.median
    case .added(let name, let steps):
      guard let other = others(name) else { return nil }
      guard let all = times[index].min(), let before = times[other].min() else { return nil }
      return (all - before) / Double(steps)
    case .allocations: return allocations
    case .bytes, .figure: return nil
    }
  }
}

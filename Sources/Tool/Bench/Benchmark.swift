/// A comparison of several measured operations, which are called *cases*. Benchmarks are the tables
/// of the report.
struct Benchmark: Sendable {
  let group: Group
  let title: String
  /// A closure that prepares the cases, measures them, and releases them.
  let rows: @Sendable (_ rounds: Int, Scale) async throws -> [Row]
}

extension Benchmark {
  /// Creates a benchmark that measures durations. Its first case is the baseline.
  init(
    _ group: Group, _ title: String, meter: Measurement.Meter = .time,
    cases: @escaping @Sendable (Scale) async throws -> [BenchmarkCase]
  ) {
    self.init(group: group, title: title) { rounds, scale in
      try await Measurement(
        of: (group, title), try await cases(scale), rounds: rounds, sample: scale.sample,
        meter: meter
      ).rows()
    }
  }
}

/// A group of benchmarks. Groups are selected by name, with the option `--group`.
enum Group: String, CaseIterable, Sendable {
  case memory, composed, maps, pooled, async, set, threads, bytes, disk, verbs, time, redis
  case network
}

/// The amount of work in a measurement.
struct Scale: Equatable, Sendable {
  /// The maximum number of entries in a memory level.
  var entries = 1_000_000
  /// The target duration of a sample.
  var sample = Duration.milliseconds(10)

  /// A scale for tests, which check only that every benchmark runs.
  static let quick = Scale(entries: 64, sample: .microseconds(50))

  func entries(_ wanted: Int) -> Int { min(wanted, entries) }
}

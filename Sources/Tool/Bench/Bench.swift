/// The `bench` command, which prints the results of each benchmark as soon as the benchmark
/// finishes.
struct Bench {
  let options: BenchOptions
  let console: Console

  func run() async throws -> ExitStatus {
    let view = BenchView(isColored: console.isColored)
    let files = [options.json, options.svg]
    for file in files { try file?.check() }
    warnings.forEach(console.complain)
    var printout = Printout(on: console, beside: files)
    try printout.print(view.title)
    let benchmarks = Benchmark.all.filter(options.includes)
    _ = SQLite.Library()  // Loads SQLite before allocations are counted.
    var (rows, progress): ([Row], ProgressLine) = ([], .standard)
    defer { progress.end() }
    for (index, benchmark) in benchmarks.enumerated() {
      let number = "\(index + 1)/\(benchmarks.count)"
      console.complain("[\(number)] \(benchmark.group.rawValue): \(benchmark.title)")
      progress.show(Double(index) / Double(benchmarks.count))
      let found = try await benchmark.rows(options.rounds, options.scale)
      progress.end()
      try printout.print(view.text(of: benchmark, found))
      rows += found
    }
    try printout.print(view.end(rows))
    let report = BenchReport(rows: rows, rounds: options.rounds, warnings: warnings)
    try writeAll(
      [(options.json, { try report.json }), (options.svg, { BenchChart(rows).svg })],
      console.complain)
    try printout.end()
    return rows.contains { $0.fault != nil } ? .failure : .success
  }

  /// Warnings about unreliable measurements.
  private var warnings: [String] {
    var warnings: [String] = []
    #if DEBUG
      warnings.append(
        "warning: measurements of a debug build are meaningless: use -c release")
    #endif
    if options.scale == .quick {
      warnings.append("warning: measurements with --quick are meaningless")
    }
    if let obstacle = Heap.obstacle {
      warnings.append("warning: allocations aren't counted: \(obstacle)")
    }
    return warnings
  }
}

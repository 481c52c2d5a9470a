extension Command {
  /// Measures what the library promises about time and memory.
  static let bench = Command(
    name: "bench",
    summary: "Measure times and allocations beside baselines of the same run",
    arguments: [
      "[--group NAME,…]…", "[--contest TEXT]…", "[--rounds N]", "[--json FILE]", "[--svg FILE]",
      "[--quick]",
    ],
    options: [
      "--group NAME,…  measure these groups alone (all), of",
      "                \(Group.allCases.map(\.rawValue).joined(separator: ", "))",
      "--contest TEXT  measure those alone that have one of these texts in their title (all)",
      "--rounds N      take the median of so many interleaved rounds, 1 to 10,000 (15)",
      "--json FILE     write all figures as JSON (no file)",
      "--svg FILE      draw bars with their spread (no file)",
      "--quick         tiny sizes and samples: shows that everything runs, and no more (off)",
    ],
    notes: [
      "Of each contest the first row is the baseline. The spread is that of the middle half of the",
      "rounds. Targets are aim..must; the verdict is 'aim', 'must' or 'MISSED'. Figures mean nothing",
      "but in a release build: swift run -c release strata-tool bench.",
    ],
    run: { arguments, console in
      try await Bench(options: BenchOptions(arguments), console: console).run()
    })
}

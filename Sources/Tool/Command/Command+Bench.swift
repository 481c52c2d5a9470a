extension Command {
  /// Measures what the library promises about time and memory.
  static let bench = Command(
    name: "bench",
    summary: "Measure times and allocations beside baselines of the same run",
    details: [
      "  --group NAME   measure this group alone; repeatable, or a list with commas:",
      "                 \(Group.allCases.map(\.rawValue).joined(separator: ", "))",
      "  --contest TEXT measure those alone that have this text in their title; repeatable",
      "  --rounds N     take the median of so many interleaved rounds (15)",
      "  --json FILE    write all figures as JSON",
      "  --svg FILE     draw bars with their spread",
      "  --quick        tiny sizes and samples: shows that everything runs, and no more",
      "",
      "Of each contest the first row is the baseline. The spread is that of the middle half of the",
      "rounds. Targets are aim..must; the verdict is 'aim', 'must' or 'MISSED'. Figures mean nothing",
      "but in a release build: swift run -c release strata-tool bench.",
    ],
    run: { arguments, console in
      try await Bench(options: BenchOptions(arguments), console: console).run()
    })
}

extension Command {
  /// The command that measures how much time and memory the library needs.
  static let bench = Command(
    name: "bench",
    summary: "Measure times and allocations, and compare them with baselines in the same run",
    purpose: "How fast is Strata on this machine? Measure it, next to baselines.",
    arguments: [
      "[--group NAME,…]…", "[--contest TEXT]…", "[--rounds N]", "[--json FILE]", "[--svg FILE]",
      "[--quick]",
    ],
    options: [
      "--group NAME,…  measure only the named groups (all). The groups are",
      "                \(names(Group.allCases.prefix(8)))",
      "                \(names(Group.allCases.dropFirst(8)))",
      "--contest TEXT  measure only the benchmarks whose title contains one of these texts (all)",
      "--rounds N      the number of interleaved rounds for the median, 1 to 10,000 (15)",
      "--json FILE     write all measurements as JSON (no file)",
      "--svg FILE      draw a bar chart of all measurements with their spread (no file)",
      "--quick         use tiny sizes and samples, only to check that every benchmark runs (off)",
    ],
    notes: [
      "The first row of a benchmark is its baseline. The spread is the range of the middle half of",
      "the rounds. The verdict is 'aim' if the desired target is met, 'must' if only the required",
      "target is met, and otherwise 'MISSED'. Use a release build:",
      "swift run -c release strata-tool bench.",
    ],
    run: { arguments, console in
      try await Bench(options: BenchOptions(arguments), console: console).run()
    })

  private static func names(_ groups: ArraySlice<Group>) -> String {
    groups.map(\.rawValue).joined(separator: " ")
  }
}

extension Command {
  /// The command that tests the system's files, locks, and clocks, and prints a report.
  static let report = Command(
    name: "report",
    summary: "Report how this system differs from other systems, to attach to an issue",
    purpose: "Does Strata work on this system? Test it, and get a table to attach to an issue.",
    notes: [
      "Takes no arguments. Probes files in a temporary directory, locks, clocks, and levels, and",
      "prints a table in Markdown. Fails if a result shows that Strata can't work on this system.",
    ],
    run: { arguments, console in
      if let argument = arguments.first { throw UsageError.argument(argument, of: "report") }
      let report = try SystemReport()
      try console.print(report.text)
      return report.isSound ? .success : .failure
    })
}

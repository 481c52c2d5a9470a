extension Command {
  /// Replays recorded traffic, so that a capacity can be chosen from it.
  static let hitratio = Command(
    name: "hitratio",
    summary: "Replay traces through the memory level and other policies, at several capacities",
    details: [
      "  TRACE…           files with one key a line, of any text; - is standard input, as in",
      "                   gzip -dc trace.gz | strata-tool hitratio -; or traffic made here:",
      "                   @zipf, @scans (every fifth key comes once), @drift (favourites change)",
      "  --capacity N,…   entries, or parts of the keys such as 10%; repeatable (2, 5, 10, 20, 40%)",
      "  --policy NAME,…  of \(Policy.allCases.map(\.rawValue).joined(separator: ", ")) (all)",
      "  --seed N         what the hash of the memory level is made of; a program draws it (6)",
      "  --csv            print rows of trace,capacity,policy,hit_ratio",
      "  --svg FILE       draw the curves of hit ratio against capacity",
      "",
      "The knee is the capacity beyond which more room gives little. OPT is the best that can be",
      "done by one who knows the future.",
    ],
    run: { arguments, console in
      try HitRatio(options: HitRatioOptions(arguments), console: console).run()
    })
}

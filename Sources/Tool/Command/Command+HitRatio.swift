extension Command {
  /// Replays recorded traffic, so that a capacity can be chosen from it.
  static let hitratio = Command(
    name: "hitratio",
    summary: "Replay traces through the memory level and other policies, at several capacities",
    arguments: [
      "TRACE…", "[--capacity N,…]…", "[--policy NAME,…]…", "[--seed N]", "[--csv]", "[--svg FILE]",
    ],
    options: [
      "TRACE…           files with one key a line, of any text; - is standard input, as in",
      "                 gzip -dc trace.gz | strata-tool hitratio -; or traffic made here:",
      "                 @zipf, @scans (every fifth key comes once), @drift (favourites change)",
      "--capacity N,…   entries, one or more, or a part of the keys such as 10%, up to 100%",
      "                 (2%, 5%, 10%, 20%, 40%; for --svg twelve from 1% to 80%)",
      "--policy NAME,…  of \(Policy.allCases.map(\.rawValue).joined(separator: ", ")) (all)",
      "--seed N         zero or more: what the hash of the memory level is made of (6)",
      "--csv            print rows of trace,capacity,policy,hit_ratio, of 0 to 1 (tables, in %)",
      "--svg FILE       draw the curves of hit ratio against capacity (no file)",
    ],
    notes: [
      "The knee is the least of the capacities replayed, but for the first, of which no larger one",
      "has 2 % of the requests or more in hits beyond its own, though the largest has twice its room:",
      "on the curve of the memory level, or of the first policy without it. None is marked where the",
      "curve still rises, or was flat from the first capacity on.",
      "OPT is the best that can be done by one who knows the future.",
    ],
    run: { arguments, console in
      try HitRatio(options: HitRatioOptions(arguments), console: console).run()
    })
}

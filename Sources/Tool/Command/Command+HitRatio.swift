extension Command {
  /// The command that replays recorded traffic to find a suitable capacity.
  static let hitratio = Command(
    name: "hitratio",
    summary: "Replay traces through the memory level and other policies, at several capacities",
    purpose: "How large should a memory level be? Replay your traffic at several capacities.",
    arguments: [
      "TRACE…", "[--capacity N,…]…", "[--policy NAME,…]…", "[--seed N]", "[--sizes]", "[--csv]",
      "[--svg FILE]",
    ],
    options: [
      "TRACE…           files with one key, which is any text, on each line; - for standard input,",
      "                 as in gzip -dc trace.gz | strata-tool hitratio -; or synthetic traffic:",
      "                 @zipf, @scans (one request in five is for a new key), @drift (changing keys),",
      "                 @loop (a cycle of keys), @zigzag (a scan up and down), @shift (a working set",
      "                 that moves), and mixtures such as @zipf+@loop (one after the other).",
      "                 For keys with sizes, add a colon, as in @zipf:pareto and @drift:lognormal.",
      "                 Popular keys are small in @zipf:pareto-small, and large in @zipf:pareto-large",
      "--capacity N,…   a number of entries, or a percentage of the keys such as 10%, up to 100%;",
      "                 with sizes a sum of sizes, or a percentage of the sum over all keys",
      "                 (2%, 5%, 10%, 20%, 40%; with --svg twelve from 1% to 80%)",
      "--policy NAME,…  \(Policy.unsized.map(\.rawValue).joined(separator: ", ")) (all);",
      "                 with sizes \(Policy.sized.map(\.rawValue).joined(separator: ", ")) (all)",
      "--seed N         the seed of the memory level's hash, zero or more (6)",
      "--sizes          read a size from the end of each line, after a space, tab, or comma (no)",
      "--csv            print rows of trace,capacity,policy,hit_ratio, from 0 to 1 (tables, in %);",
      "                 with sizes also byte_hit_ratio, which weighs each request by its size",
      "--svg FILE       draw the curves of hit ratio against capacity (no file)",
    ],
    notes: [
      "The knee is the smallest capacity that no larger capacity beats by 2 % of the requests. There",
      "is none if the first capacity would be the knee, or if no capacity is at least twice the knee.",
      "The table and the chart show the knee of the memory level's curve, or if the memory level isn't",
      "replayed, the knee of the first policy's curve.",
      "TinyLFU is W-TinyLFU with a hill climber. A2F is the reference implementation of the memory",
      "level's policy. OPT is the best possible hit ratio, which requires knowledge of the future.",
    ],
    run: { arguments, console in
      try HitRatio(options: HitRatioOptions(arguments), console: console).run()
    })
}

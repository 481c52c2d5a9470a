extension Command {
  /// The command that replays a trace through a whole pipeline.
  static let simulate = Command(
    name: "simulate",
    summary: "Replay a trace through a whole pipeline on virtual time, at several capacities",
    purpose: "Is a disk level worth it? Replay your traffic through a whole pipeline.",
    arguments: [
      "TRACE", "--pipeline LEVELS", "[--rate N]", "[--times]", "[--sizes]", "[--html FILE]",
    ],
    options: [
      "TRACE              a file with one key per line, - for standard input, or synthetic traffic",
      "                   as for hitratio, such as @zipf",
      "--pipeline LEVELS  levels with capacities and latencies, from top to bottom, such as",
      "                   \"memory(1000) + disk(20000, 5ms) + origin(80ms)\", with the origin last",
      "--rate N           the number of requests in each second, for a trace without times (100)",
      "--times            read a time in seconds from the beginning of each line, before a space,",
      "                   tab, or comma (no)",
      "--sizes            read a size from the end of each line. Capacities are sums of sizes (no)",
      "--html FILE        write a page with the pipeline, its figures, and the curves (no file)",
    ],
    notes: [
      "Also simulates the pipeline with an eighth to eight times the capacity of one storing level,",
      "and does so for each storing level. The knee of a curve is the point that is farthest from the",
      "straight line between the curve's ends.",
    ],
    run: { arguments, console in
      try Simulate(options: SimulateOptions(arguments), console: console).run()
    })
}

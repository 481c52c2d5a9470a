/// The command: measures contest by contest, and shows every one when it is done.
struct Bench {
  let options: BenchOptions
  let console: Console

  func run() async throws -> ExitStatus {
    let view = BenchView(isColoured: console.isColoured)
    let files = [options.json, options.svg]
    for file in files { try file?.check() }
    warnings.forEach(console.complain)
    var printout = Printout(on: console, beside: files)
    try printout.print(view.title)
    let contests = Contest.all.filter(options.isAsked)
    _ = SQLite.Library()  // What is loaded after the first count is not counted.
    var rows: [Row] = []
    for (index, contest) in contests.enumerated() {
      let number = "\(index + 1)/\(contests.count)"
      console.complain("[\(number)] \(contest.group.rawValue): \(contest.title)")
      let found = try await contest.rows(options.rounds, options.scale)
      try printout.print(view.text(of: contest, found))
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

  /// Why the figures are worth less than they seem.
  private var warnings: [String] {
    var warnings: [String] = []
    #if DEBUG
      warnings.append(
        "warning: this is a debug build, and its figures mean nothing: use -c release")
    #endif
    if options.scale == .quick { warnings.append("warning: --quick: the figures mean nothing") }
    if let obstacle = Heap.obstacle { warnings.append("warning: no allocations: \(obstacle)") }
    return warnings
  }
}

/// A violation of a law, with the smallest violating program and the observed results.
public struct LawViolation: Error, Sendable {
  /// The violated law.
  public let law: Law
  /// The seed of the case. To repeat only this case, pass `seed:` and `cases: 1` to the check. For
  /// a check without these arguments, set `STRATA_SEED` to this seed and `STRATA_CASES` to 1
  /// instead.
  public let seed: UInt64
  /// The number of the case, counted from one.
  public let number: Int
  /// The number of operations in the shrunk program.
  public let operations: Int
  /// The shrunk program, one operation per line.
  public let program: [String]
  /// The observations of both sides of the law.
  public let evidence: LawEvidence
  /// How often the shrunk program was run again, and how often it violated the law again. Both
  /// numbers are zero if each run of the program has the same result.
  public let runs: (all: Int, violating: Int)
  private let isShrunk: Bool

  init(law: Law, seed: UInt64, number: Int, finding: Law.Finding) {
    self.law = law
    self.seed = seed
    self.number = number
    operations = finding.operations
    program = finding.program
    evidence = finding.evidence
    runs = finding.runs
    isShrunk = finding.isShrunk
  }
}

extension LawViolation: CustomStringConvertible {
  /// The law, the seed, the shrunk program, and both observations, with a mark at the first
  /// difference. It leaves out the middle of a long line, and the end of a long list.
  public var description: String {
    let subject = law.subject.map { " for \"\($0)\"" } ?? ""
    var head = [
      "\(law.name) does not hold\(subject): \(law.statement)",
      "  \(law.sentence)",
      "  found in case \(number); to repeat it: STRATA_SEED=\(seed) STRATA_CASES=1, "
        + "or pass seed: \(seed), cases: 1",
    ]
    if runs.all > 0 {
      head.append(
        "  not in each run: the seed repeats the program, but not the order in which threads run. "
          + "Of \(runs.all) more runs of this program, \(runs.violating) violated the law. "
          + "The results below are the recorded schedule of one run.")
    }
    head += [
      "",
      isShrunk
        ? "  the smallest program found, of \(operations) operations:"
        : "  the program, of \(operations) operations:",
    ]
    let body =
      program.bounded(to: 100).map { "    " + $0 } + [""]
      + evidence.table.bounded(to: 200).map { "  " + $0 } + evidence.notes.map { "  " + $0 }
    return (head + body.map { LawText.shortened($0, to: 600) }).joined(separator: "\n")
  }
}

extension [String] {
  /// Returns the first lines, and a line with the number of the others.
  fileprivate func bounded(to most: Int) -> [String] {
    count <= most ? self : prefix(most) + ["… and \(count - most) more"]
  }
}

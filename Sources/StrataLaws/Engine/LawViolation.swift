/// A law that does not hold: which, for what program, and what was seen.
public struct LawViolation: Error, Sendable {
  /// The law.
  public let law: Law
  /// The seed of the case: with it as `STRATA_SEED` and with `STRATA_CASES=1` the case comes first.
  public let seed: UInt64
  /// Which case it was, counted from one.
  public let number: Int
  /// How many operations the shrunk program has.
  public let operations: Int
  /// The shrunk program, an operation a line.
  public let program: [String]
  /// What was seen on both sides.
  public let evidence: Evidence

  init(law: Law, seed: UInt64, number: Int, finding: Law.Finding) {
    self.law = law
    self.seed = seed
    self.number = number
    operations = finding.operations
    program = finding.program
    evidence = finding.evidence
  }
}

extension LawViolation: CustomStringConvertible {
  /// Law, seed, shrunk program and both observations, the first difference marked.
  public var description: String {
    let head = [
      "\(law.name) does not hold: \(law.statement)",
      "  \(law.sentence)",
      "  found in case \(number); to see it again: STRATA_SEED=\(seed) STRATA_CASES=1",
      "",
      "  the smallest program found, of \(operations) operations:",
    ]
    let body = program.map { "    " + $0 } + [""] + evidence.table.map { "  " + $0 }
    return (head + body).joined(separator: "\n")
  }
}

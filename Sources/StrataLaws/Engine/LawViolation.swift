/// A violation of a law, with the smallest violating program and the observed results.
public struct LawViolation: Error, Sendable {
  /// The violated law.
  public let law: Law
  /// The seed of the case. To repeat only the violating case, set `STRATA_SEED` to this seed and
  /// `STRATA_CASES` to 1.
  public let seed: UInt64
  /// The number of the case, counted from one.
  public let number: Int
  /// The number of operations in the shrunk program.
  public let operations: Int
  /// The shrunk program, one operation per line.
  public let program: [String]
  /// The observations of both sides of the law.
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
  /// The law, the seed, the shrunk program, and both observations, with the first difference
  /// marked.
  public var description: String {
    let head = [
      "\(law.name) does not hold: \(law.statement)",
      "  \(law.sentence)",
      "  found in case \(number); to repeat it: STRATA_SEED=\(seed) STRATA_CASES=1",
      "",
      "  the smallest program found, of \(operations) operations:",
    ]
    let body = program.map { "    " + $0 } + [""] + evidence.table.map { "  " + $0 }
    return (head + body).joined(separator: "\n")
  }
}

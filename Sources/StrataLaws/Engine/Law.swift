/// Something that holds for every trial: a value with a name, a statement and a way to try it.
///
///     let law = Laws.monoid.laws[0]
///     print(law)  // monoid.identityAbove: .empty + a == a
public struct Law: Sendable {
  /// The structure it belongs to and its own name: `monoid.associativity`.
  public let name: String
  /// What holds, in symbols.
  public let statement: String
  /// What holds, in words.
  public let sentence: String
  /// Whether threads decide what is seen.
  let isRacing: Bool
  /// Tries the case of one seed, and shrinks what it finds.
  let attempt: @Sendable (UInt64) -> Finding?

  /// A trial for which the law does not hold, as small as it could be made.
  struct Finding: Sendable {
    let operations: Int
    let program: [String]
    let evidence: Evidence
  }

  /// Makes a law of what it is tried on and how a trial is judged.
  ///
  /// - Parameters:
  ///   - name: The structure and the law's own name.
  ///   - statement: What holds, in symbols.
  ///   - sentence: What holds, in words.
  ///   - tries: How often a smaller trial is judged before it is taken to be lawful: once, unless
  ///     threads decide what is seen.
  ///   - draw: Makes a trial; the same of equal generators.
  ///   - judge: Returns what speaks against the law, or `nil`; called again and again to shrink.
  public init<Case: Trial>(
    _ name: String, _ statement: String, _ sentence: String, tries: Int = 1,
    draw: @escaping @Sendable (inout SeededGenerator) -> Case,
    judge: @escaping @Sendable (Case) -> Evidence?
  ) {
    self.name = name
    self.statement = statement
    self.sentence = sentence
    isRacing = tries > 1
    attempt = { seed in
      var random = SeededGenerator(seed: seed)
      var smallest = draw(&random)
      guard var evidence = judge(smallest) else { return nil }
      shrinking: while true {
        for simpler in smallest.simpler {
          for _ in 0..<tries {
            guard let found = judge(simpler) else { continue }
            (smallest, evidence) = (simpler, found)
            continue shrinking
          }
        }
        break
      }
      return Finding(operations: smallest.size, program: smallest.lines, evidence: evidence)
    }
  }

  /// Looks for a trial for which the law does not hold.
  ///
  /// Of a law about threads the first one found may be large; a few more cases are tried then.
  ///
  /// - Parameters:
  ///   - seed: Of the first case; each case has the seed after that of the one before.
  ///   - cases: How many trials; one at least, so that no law holds for want of a trial.
  public func violation(seed: UInt64 = Seed.value, cases: Int = Seed.cases) -> LawViolation? {
    var smallest: LawViolation?
    var last = max(1, cases)
    var number = 0
    while number < last {
      let seed = seed &+ UInt64(number)
      number += 1
      guard let finding = attempt(seed) else { continue }
      if finding.operations < smallest?.operations ?? .max {
        smallest = LawViolation(law: self, seed: seed, number: number, finding: finding)
      }
      last = min(last, number + furtherCases)
      if smallest.map({ $0.operations <= 6 }) == true { break }
    }
    return smallest
  }

  /// For how many cases a smaller finding is looked for: a race seen by chance is hard to shrink.
  private var furtherCases: Int { isRacing ? 60 : 0 }
}

extension Law: CustomStringConvertible {
  /// The name and the statement.
  public var description: String { "\(name): \(statement)" }
}

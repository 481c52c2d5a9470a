/// A property that holds for every trial.
///
///     let law = Laws.monoid.laws[0]
///     print(law)  // monoid.identityAbove: .empty + a == a
public struct Law: Sendable {
  /// The name of the structure and the name of the law, such as `monoid.associativity`.
  public let name: String
  /// The law in symbols.
  public let statement: String
  /// The law in words.
  public let sentence: String
  /// Whether the observation depends on thread scheduling.
  let isRacing: Bool
  /// Whether the law blocks its thread until promises settle.
  var waits = false
  /// The maximum number of cases. It is lower for a law whose cases take a long time.
  var mostCases = Int.max
  /// The maximum total number of judgments for shrinking, over all cases of a racing law. One case
  /// gets at most 600 judgments, because a race may be easier to shrink in another case.
  var mostJudgments = 600
  /// A closure that tries one seed and shrinks a violation. Each judgment while shrinking
  /// decrements `judgments`, and shrinking stops at zero.
  let attempt: @Sendable (_ seed: UInt64, _ judgments: inout Int) -> Finding?

  /// The smallest trial found that violates the law.
  struct Finding: Sendable {
    let operations: Int
    let program: [String]
    let evidence: Evidence
  }

  /// Creates a law from a random trial and a judge.
  ///
  /// - Parameters:
  ///   - name: The name of the structure and the name of the law, such as `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - tries: The number of times that shrinking judges a trial before the trial counts as
  ///     lawful. The default is one. Use a larger number if the observation depends on thread
  ///     scheduling.
  ///   - draw: A closure that returns a random trial. Equal generators must produce equal trials.
  ///   - judge: A closure that returns the evidence of a violation, or `nil` if the trial is
  ///     lawful. Called once per case and many times while shrinking.
  package init<Case: Trial>(
    _ name: String, _ statement: String, _ sentence: String, tries: Int = 1,
    draw: @escaping @Sendable (inout SeededGenerator) -> Case,
    judge: @escaping @Sendable (Case) -> Evidence?
  ) {
    self.name = name
    self.statement = statement
    self.sentence = sentence
    isRacing = tries > 1
    attempt = { seed, judgments in
      var random = SeededGenerator(seed: seed)
      var smallest = draw(&random)
      guard var evidence = judge(smallest) else { return nil }
      shrinking: while true {
        for simpler in smallest.simpler {
          for _ in 0..<tries {
            guard judgments > 0 else { break shrinking }
            judgments -= 1
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

  /// Returns the smallest violation found, or `nil` if no case violates the law.
  ///
  /// For a law about threads, tries up to 60 more cases to find a smaller violation.
  ///
  /// - Parameters:
  ///   - seed: The seed of the first case. Each later case increments the seed.
  ///   - cases: The number of cases. A number below one counts as one.
  /// - Precondition: If the law waits for promises, like the laws of levels, the caller doesn't run
  ///   in a task.
  public func violation(seed: UInt64 = Seed.value, cases: Int = Seed.cases) -> LawViolation? {
    precondition(!waits || !BlockedTask.isNear, "\(BlockedTask(laws: name))")
    return violation(seed, cases) { false }
  }

  func violation(_ seed: UInt64, _ cases: Int, unless isCancelled: () -> Bool) -> LawViolation? {
    var smallest: LawViolation?
    var last = min(max(1, cases), mostCases)
    var number = 0
    var left = isRacing ? mostJudgments : Int.max
    while number < last, !isCancelled() {
      let seed = seed &+ UInt64(number)
      number += 1
      let most = isRacing ? min(left, 600) : left
      var judgments = most
      guard let finding = attempt(seed, &judgments) else { continue }
      left -= most - judgments
      if finding.operations < smallest?.operations ?? .max {
        smallest = LawViolation(law: self, seed: seed, number: number, finding: finding)
      }
      last = min(last, number + furtherCases)
      if left == 0 || smallest.map({ $0.operations <= 6 }) == true { break }
    }
    return smallest
  }

  /// This law, marked as a law that blocks its thread until promises settle.
  var waiting: Law {
    var law = self
    law.waits = true
    return law
  }

  /// The number of cases to try after a violation. A race is hard to shrink, so another case may
  /// show a smaller violation.
  private var furtherCases: Int { isRacing ? 60 : 0 }
}

extension Law: CustomStringConvertible {
  /// The name and the statement of the law.
  public var description: String { "\(name): \(statement)" }
}

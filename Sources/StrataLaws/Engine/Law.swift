/// A property that must hold for every random input. Such an input is called a trial.
///
///     let law = Laws.monoid.laws[0]
///     print(law)  // monoid.identityAbove: .empty + a == a
public struct Law: Sendable {
  /// The name of the law, prefixed with the name of its structure, such as `monoid.associativity`.
  public let name: String
  /// The law in symbols.
  public let statement: String
  /// The law in words.
  public let sentence: String
  /// Whether the observed results depend on thread scheduling.
  let isRacing: Bool
  /// Whether the law blocks its thread until promises settle.
  var waits = false
  /// The maximum number of cases. Laws with slow cases have a lower maximum.
  var mostCases = Int.max
  /// For a law about threads, the maximum number of times that shrinking calls the judge, in total
  /// over all cases. Each case uses at most 600 calls, because a race might be easier to shrink in
  /// another case.
  var mostJudgments = 600
  /// A closure that tries one seed, and shrinks the violation if there is one. While shrinking,
  /// each call of the judge decrements `judgments`. Shrinking stops when `judgments` is zero.
  let attempt: @Sendable (_ seed: UInt64, _ judgments: inout Int) -> Finding?

  /// The smallest violating trial that the search has found.
  struct Finding: Sendable {
    let operations: Int
    let program: [String]
    let evidence: Evidence
  }

  /// Creates a law from a closure that draws random trials and a closure that judges a trial.
  ///
  /// - Parameters:
  ///   - name: The name of the law, prefixed with the name of its structure, such as
  ///     `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - tries: The number of times that shrinking judges a trial before the trial counts as
  ///     lawful. The default is one. Use a larger number if the observed results depend on thread
  ///     scheduling.
  ///   - draw: A closure that returns a random trial. When generators are equal, the closure must
  ///     return equal trials.
  ///   - judge: A closure that returns the evidence of a violation, or `nil` if the trial is
  ///     lawful. Called once per case, and again for each attempt to shrink a violation.
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

  /// Returns the smallest violation that the search finds, or `nil` if no case violates the law.
  ///
  /// After a violation of a law about threads, this function tries up to 60 more cases to find a
  /// smaller violation.
  ///
  /// - Parameters:
  ///   - seed: The seed of the first case. Each later case increments the seed.
  ///   - cases: The number of cases. A number below one counts as one.
  /// - Precondition: If the law waits for promises, as the laws of levels do, the caller must not
  ///   run in a task.
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

  /// A copy of this law that is marked as blocking its thread until promises settle.
  var waiting: Law {
    var law = self
    law.waits = true
    return law
  }

  /// The number of cases to try after a violation. A race is hard to shrink, so another case might
  /// show a smaller violation.
  private var furtherCases: Int { isRacing ? 60 : 0 }
}

extension Law: CustomStringConvertible {
  /// The name and the statement of the law.
  public var description: String { "\(name): \(statement)" }
}

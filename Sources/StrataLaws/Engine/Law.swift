/// A property that must hold for every random input. Such an input defines one trial.
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
  /// Whether checking the law blocks a thread until promises settle.
  var waits = false
  /// The maximum number of cases. By default, the number of cases is unlimited. Laws whose cases
  /// are slow set a smaller maximum.
  var mostCases = Int.max
  /// A law whose cases are large runs one case where other laws run this number of cases.
  var share = 1
  /// The name of the cache that the law checks, if a caller named it.
  var subject: String?
  /// Counts the operations that took effect, if the law checks a level.
  var tally: LevelTally?
  /// The maximum number of checks in the search for a smaller violation, if the results of the law
  /// depend on thread scheduling. It applies to the total of all cases. While the smallest
  /// violation found so far has more than 48 operations, the law may run ten times as many checks.
  /// For each case, the search runs at most 600 checks. The law can then try another case, whose
  /// violation might be easier to shrink. Without threads, the search has no limit.
  var mostJudgments = 600
  /// A closure that checks the random trial for a seed. On a violation, it searches for a smaller
  /// violating trial. Each check of a smaller trial decrements `judgments`, and the search ends
  /// when `judgments` reaches zero. It may check the same trial several times. Before each, it
  /// calls `watch` with the lines of the trial.
  let attempt: @Sendable (_ seed: UInt64, _ judgments: inout Int, _ watch: Watch.Entry?) -> Finding?

  /// The smallest violating trial found for a seed, and the evidence of its violation.
  struct Finding: Sendable {
    let operations: Int
    let program: [String]
    let evidence: LawEvidence
    /// Whether the trial is smaller than the one that was drawn.
    let isShrunk: Bool
    /// The number of times that the smallest trial was run again, and violated the law again.
    let runs: (all: Int, violating: Int)
  }

  /// Creates a law from a closure that draws random trials and a closure that judges a trial.
  ///
  /// - Parameters:
  ///   - name: The name of the law, prefixed with the name of its structure, such as
  ///     `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - tries: The maximum number of times that each smaller trial is checked for a violation. The
  ///     default is one. Use more if the observed results depend on thread scheduling.
  ///   - draw: A closure that returns a random trial. For equal generators, it must return equal
  ///     trials.
  ///   - judge: A closure that returns the evidence of a violation, or `nil` if the trial satisfies
  ///     the law. It's called once per case, and again for each attempt to shrink a violation.
  package init<Case: Trial>(
    _ name: String, _ statement: String, _ sentence: String, tries: Int = 1,
    draw: @escaping @Sendable (inout SeededGenerator) -> Case,
    judge: @escaping @Sendable (Case) -> LawEvidence?
  ) {
    self.name = name
    self.statement = statement
    self.sentence = sentence
    isRacing = tries > 1
    attempt = { seed, judgments, watch in
      var random = SeededGenerator(seed: seed)
      let drawn = draw(&random)
      var smallest = drawn
      func judged(_ trial: Case) -> LawEvidence? {
        watch?.begin { trial.lines }
        return judge(trial)
      }
      guard var evidence = judged(smallest) else { return nil }
      // A level that isn't deterministic violates the law in some runs only, so a smaller trial gets
      // several tries.
      let isFickle = tries == 1 && (0..<2).contains { _ in judged(drawn) == nil }
      let tries = isFickle ? 10 : tries
      if isFickle { judgments = min(judgments, 600) }
      // When a variant violates the law, it replaces `smallest`, and the loop tries the variants of
      // the new `smallest`. It begins at index `next`, because variants at lower indices are
      // unlikely to violate the law. Where thread scheduling matters, `next` stays zero, because a
      // variant that satisfied the law once might violate it in a later try. Once every variant
      // satisfies the law, or `judgments` reaches zero, the loop ends.
      var (next, isShrunk, pairs) = (0, false, 3_000)
      let end = ContinuousClock.now + .seconds(5)
      shrinking: while true {
        let variants = smallest.simpler
        for offset in variants.indices {
          let index = (next + offset) % variants.count
          for _ in 0..<tries {
            guard judgments > 0 else { break shrinking }
            judgments -= 1
            guard let found = judged(variants[index]) else { continue }
            (smallest, evidence, next) = (variants[index], found, tries > 1 ? 0 : index)
            isShrunk = true
            continue shrinking
          }
        }
        // No step can go alone. Two may: a get, and a later step that names it by its number.
        guard tries == 1, smallest.size <= 16, ContinuousClock.now < end else { break }
        for smaller in variants.prefix(60).lazy.flatMap({ $0.simpler.prefix(60) })
        where smaller.size < smallest.size {
          guard judgments > 0, pairs > 0, ContinuousClock.now < end else { break shrinking }
          (judgments, pairs) = (judgments - 1, pairs - 1)
          guard let found = judged(smaller) else { continue }
          (smallest, evidence, next, isShrunk) = (smaller, found, 0, true)
          continue shrinking
        }
        break
      }
      let runs = tries > 1 ? 10 : 0
      return Finding(
        operations: smallest.size, program: smallest.lines, evidence: evidence, isShrunk: isShrunk,
        runs: (runs, (0..<runs).filter { _ in judged(smallest) != nil }.count))
    }
  }

  /// Returns the smallest violation that the search finds, or `nil` if no case violates the law.
  ///
  /// For a violated law about threads, this function tries up to 60 more cases to find a smaller
  /// violation. While the smallest violation has more than 48 operations, this function tries up to
  /// 2,000 more cases, and runs up to ten times as many checks, because races are rare on a busy
  /// machine.
  ///
  /// - Parameters:
  ///   - seed: The seed of the first case. Further cases have seeds that increase by one.
  ///   - cases: The number of cases. Below one, it counts as one.
  /// - Precondition: If the law waits for promises, as the laws of levels do, the caller must not
  ///   run in a task.
  public func violation(seed: UInt64 = LawSeed.value, cases: Int = LawSeed.cases) -> LawViolation? {
    precondition(!waits || !BlockedTask.isNear, "\(BlockedTask(laws: name))")
    return violation(seed, cases)
  }

  /// - Parameter goal: The maximum number of operations of a violation that is short enough. While
  ///   the smallest violation has more operations, the search runs more checks.
  func violation(
    _ seed: UInt64, _ cases: Int, goal: Int = 48, unless isCancelled: () -> Bool = { false },
    counting count: (Int) -> Void = { _ in }
  ) -> LawViolation? {
    func isLong(_ violation: LawViolation?) -> Bool {
      violation.map { $0.operations > goal } ?? true
    }
    var smallest: LawViolation?
    let all = min(max(1, cases / share), mostCases)
    var (last, number, judged) = (all, 0, 0)
    let watch = Watch.shared.entry(subject.map { "\(name) of \"\($0)\"" } ?? name, of: all)
    defer { Watch.shared.end(watch) }
    while number < last, number == 0 || !isCancelled() {
      let left = isRacing ? mostJudgments * (isLong(smallest) ? 10 : 1) - judged : Int.max
      if left <= 0 || smallest.map({ $0.operations <= 6 }) == true { break }
      let seed = seed &+ UInt64(number)
      number += 1
      watch.begin(case: number)
      count(number)
      let most = isRacing ? min(left, 600) : left
      var judgments = most
      guard let finding = attempt(seed, &judgments, watch) else { continue }
      judged += most - judgments
      if finding.operations < smallest?.operations ?? .max {
        smallest = LawViolation(law: self, seed: seed, number: number, finding: finding)
      }
      let isLong = isLong(smallest)
      last = min(isLong ? all : last, number + furtherCases(isLong))
    }
    return smallest
  }

  /// A copy of this law in which `waits` is `true`.
  var waiting: Law {
    var law = self
    law.waits = true
    return law
  }

  /// A copy of this law about a cache with a name.
  func about(_ subject: String, _ tally: LevelTally) -> Law {
    var law = self
    law.subject = subject == "level" ? nil : subject
    law.tally = tally
    return law
  }

  /// The number of cases to try after a violation. Where results depend on thread scheduling,
  /// shrinking is less reliable, so the law tries more cases to find a smaller violation.
  private func furtherCases(_ isLong: Bool) -> Int { isRacing ? (isLong ? 2000 : 60) : 0 }
}

extension Law: CustomStringConvertible {
  /// The name and the statement of the law.
  public var description: String { "\(name): \(statement)" }
}

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
  /// Whether a check of the law blocks its thread until promises settle.
  var waits = false
  /// The maximum number of cases. By default, the number of cases is unlimited. Laws whose cases
  /// are slow set a smaller maximum.
  var mostCases = Int.max
  /// The number of cases that other laws run while this law runs one. It's greater than one for a
  /// law with large cases.
  var share = 1
  /// The name of the cache that the law checks, if a caller named it.
  var subject: String?
  /// What the samples of the law can't show.
  var gaps: @Sendable () -> [String] = { [] }
  /// The number of operations up to which a violation is short enough. While the smallest one has
  /// more, the search runs more checks.
  var goal = 48
  /// Counts the operations that took effect, if the law checks a level.
  var tally: LevelTally?
  /// The maximum number of checks in the search for a smaller violation, for all cases together.
  /// While the smallest violation so far has more than 48 operations, the law may run ten times as
  /// many. For one case, it runs at most 600, and then tries another, whose violation may be easier
  /// to shrink. There is no limit for a law whose results don't depend on thread scheduling.
  var mostJudgments = 600
  /// Whether cases may run at the same time. They can't if their clients run on threads, because a
  /// law has only one set of these.
  var mayOverlap: Bool
  /// A number that grows as long as a case makes progress.
  var progress: @Sendable () -> Int = { 0 }
  /// A closure that draws the random trial for a seed, and checks it. If it violates the law,
  /// returns the search for a smaller violating trial. Before each check of a trial, `watch`
  /// receives the lines of the trial.
  let attempt: @Sendable (_ seed: UInt64, _ watch: Watch.Entry) -> Search?

  /// A search for a smaller violating trial, which may check the same trial several times. Each
  /// check decrements `judgments`. The search ends when `judgments` reaches zero or when `isOver`
  /// returns `true`.
  typealias Search =
    @Sendable (_ judgments: inout Int, _ isOver: () -> Bool) -> Finding

  /// The smallest violating trial found for a seed, and the evidence of its violation.
  struct Finding: Sendable {
    let operations: Int
    let program: [String]
    let evidence: LawEvidence
    /// Whether the trial is smaller than the one that was drawn.
    let isShrunk: Bool
    /// How often the smallest trial was run again, and how often it violated the law again.
    let runs: (all: Int, violating: Int)
  }

  /// Creates a law from two closures: one draws a random trial, and the other judges it.
  ///
  /// - Parameters:
  ///   - name: The name of the law, prefixed with the name of its structure, such as
  ///     `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - tries: The maximum number of checks of each smaller trial. The default is one. Use more if
  ///     the observed results depend on thread scheduling.
  ///   - draw: A closure that returns a random trial. For equal generators, it must return equal
  ///     trials.
  ///   - judge: A closure that returns the evidence of a violation, or `nil` if the trial satisfies
  ///     the law. It's called once per case, and again for each attempt to shrink a violating
  ///     trial.
  package init<Case: Trial>(
    _ name: String, _ statement: String, _ sentence: String, tries: Int = 1,
    draw: @escaping @Sendable (inout SeededGenerator) -> Case,
    judge: @escaping @Sendable (Case) -> LawEvidence?
  ) {
    self.name = name
    self.statement = statement
    self.sentence = sentence
    isRacing = tries > 1
    mayOverlap = tries == 1
    attempt = { seed, watch in
      var random = SeededGenerator(seed: seed)
      let drawn = draw(&random)
      let judged: @Sendable (Case) -> LawEvidence? = { trial in
        watch.begin { trial.lines }
        return judge(trial)
      }
      guard let evidence = judged(drawn) else { return nil }
      let shrinking = Shrinking(drawn: drawn, evidence: evidence, tries: tries, judge: judged)
      return { judgments, isOver in
        defer { watch.rest() }
        return shrinking.finding(&judgments, unless: isOver)
      }
    }
  }

  /// Returns the smallest violation that the search finds, or `nil` if no case violates the law.
  ///
  /// When a law about threads is violated, this function tries up to 60 more cases to find a
  /// smaller violation. While the smallest one has more than 48 operations, it tries up to 2,000
  /// more cases, with up to ten times as many checks. On a busy machine, races are rare, so that
  /// many may be needed.
  ///
  /// - Parameters:
  ///   - seed: The seed of the first case. Each further case has the next number as its seed.
  ///   - cases: The number of cases. Numbers below one count as one.
  /// - Precondition: If the law waits for promises, as the laws of levels do, the caller must not
  ///   run in a task.
  public func violation(seed: UInt64 = LawSeed.value, cases: Int = LawSeed.cases) -> LawViolation? {
    precondition(!waits || !BlockedTask.isNear, "\(BlockedTask(laws: name))")
    return violation(seed, cases)
  }

  /// - Parameters:
  ///   - goal: The number of operations up to which a violation is short enough. The default is
  ///     the goal of the law.
  ///   - atOnce: The number of cases that may run at the same time.
  ///   - isCancelled: Whether no further case may begin, except for the first one.
  ///   - isOver: Whether the search for a smaller violation must end.
  func violation(
    _ seed: UInt64, _ cases: Int, goal: Int? = nil, atOnce: Int = 1,
    unless isCancelled: () -> Bool = { false }, shrinkingUntil isOver: () -> Bool = { false },
    counting count: (Int) -> Void = { _ in }
  ) -> LawViolation? {
    func isLong(_ violation: LawViolation?) -> Bool {
      violation.map { $0.operations > goal ?? self.goal } ?? true
    }
    var smallest: LawViolation?
    let all = min(max(1, cases / share), mostCases)
    var (last, number, judged) = (all, 0, 0)
    let lanes = Lanes(self, seed, of: all, atOnce: mayOverlap ? atOnce : 1)
    defer { lanes.end() }
    while number < last, number == 0 || !isCancelled() {
      let left = isRacing ? mostJudgments * (isLong(smallest) ? 10 : 1) - judged : Int.max
      if left <= 0 || smallest.map({ $0.operations <= 6 }) == true { break }
      let seed = seed &+ UInt64(number)
      number += 1
      count(number)
      let most = isRacing ? min(left, 600) : left
      var judgments = most
      guard let search = lanes.attempt(number, upTo: last) else { continue }
      let finding = search(&judgments, isOver)
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
    law.progress = { tally.count }
    return law
  }

  /// The number of cases to try after a violation. Where results depend on thread scheduling,
  /// shrinking isn't reliable, so the law tries more cases to find a smaller violation.
  private func furtherCases(_ isLong: Bool) -> Int { isRacing ? (isLong ? 2000 : 60) : 0 }
}

extension Law: CustomStringConvertible {
  /// The name and the statement of the law.
  public var description: String { "\(name): \(statement)" }
}

/// The search for a smaller trial that violates a law.
struct Shrinking<Case: Trial>: Sendable {
  let drawn: Case
  /// The evidence that the drawn trial violates the law.
  let evidence: LawEvidence
  /// The maximum number of checks of each smaller trial.
  let tries: Int
  let judge: @Sendable (Case) -> LawEvidence?

  /// Returns the smallest violating trial that the search finds. Each check decrements `judgments`.
  /// The search ends when `judgments` reaches zero or when `isOver` returns `true`.
  func finding(_ judgments: inout Int, unless isOver: () -> Bool) -> Law.Finding {
    // A level that isn't deterministic violates the law only in some runs, so the search tries
    // each smaller trial several times.
    let isFickle = tries == 1 && (0..<2).contains { _ in !isOver() && judge(drawn) == nil }
    let tries = isFickle ? 10 : tries
    if isFickle { judgments = min(judgments, 600) }
    var (smallest, evidence) = (drawn, evidence)
    // When a variant violates the law, it replaces `smallest`, and the loop continues with the
    // variants of this one. It begins at index `next`, because variants at lower indices are
    // unlikely to violate the law. If thread scheduling matters, `next` stays zero, because a variant
    // that has satisfied the law once might still violate it later. The loop ends when every
    // variant satisfies the law, or when `judgments` reaches zero.
    var (next, isShrunk, pairs) = (0, false, 3_000)
    let end = ContinuousClock.now + .seconds(5)
    shrinking: while true {
      let variants = smallest.simpler
      for offset in variants.indices {
        let index = (next + offset) % variants.count
        for _ in 0..<tries {
          guard judgments > 0, !isOver() else { break shrinking }
          judgments -= 1
          guard let found = judge(variants[index]) else { continue }
          (smallest, evidence, next) = (variants[index], found, tries > 1 ? 0 : index)
          isShrunk = true
          continue shrinking
        }
      }
      // No single step can be left out. But perhaps two can: a get, and a later step that refers
      // to it by its number.
      guard tries == 1, smallest.size <= 16, ContinuousClock.now < end else { break }
      for smaller in variants.prefix(60).lazy.flatMap({ $0.simpler.prefix(60) })
      where smaller.size < smallest.size {
        guard judgments > 0, pairs > 0, ContinuousClock.now < end, !isOver() else {
          break shrinking
        }
        (judgments, pairs) = (judgments - 1, pairs - 1)
        guard let found = judge(smaller) else { continue }
        (smallest, evidence, next, isShrunk) = (smaller, found, 0, true)
        continue shrinking
      }
      break
    }
    var runs = (all: 0, violating: 0)
    while tries > 1, runs.all < 10, !isOver() {
      runs.all += 1
      if judge(smallest) != nil { runs.violating += 1 }
    }
    return Law.Finding(
      operations: smallest.size, program: smallest.lines, evidence: evidence, isShrunk: isShrunk,
      runs: runs)
  }
}

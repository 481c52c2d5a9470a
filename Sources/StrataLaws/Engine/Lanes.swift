import StrataVerbs

/// The cases of a check, of which several may run at the same time, each in its own lane.
///
/// The lanes look ahead: they run the next cases, and keep the outcomes until the check needs them.
/// So a check finds the same first violation as one that runs its cases one after another.
final class Lanes {
  private let law: Law
  private let seed: UInt64
  private let watches: [Watch.Entry]
  /// The outcomes of the cases that have run, by their numbers.
  private var ahead: [Int: Law.Search?] = [:]

  init(_ law: Law, _ seed: UInt64, of all: Int, atOnce: Int) {
    (self.law, self.seed) = (law, seed)
    let text = law.subject.map { "\(law.name) of \"\($0)\"" } ?? law.name
    watches = (0..<max(1, min(atOnce, all))).map { lane in
      Watch.shared.entry(text, of: all, progress: law.progress, isQuiet: lane > 0)
    }
  }

  func end() { for watch in watches { Watch.shared.end(watch) } }

  /// Returns the outcome of a case. Runs it now if it hasn't run yet, together with the next ones.
  ///
  /// - Parameters:
  ///   - number: The number of the case, counted from one.
  ///   - last: The number of the last case that may run.
  func attempt(_ number: Int, upTo last: Int) -> Law.Search? {
    if let outcome = ahead.removeValue(forKey: number) { return outcome }
    let count = min(watches.count, last - number + 1)
    guard count > 1 else { return attempt(number, in: watches[0]) }
    let outcomes = Lock<[Int: Law.Search?]>([:])
    WorkerThreads.lanes.run(
      (0..<count).map { [law, seed, watches] lane in
        {
          let outcome = Self.attempt(law, seed, number + lane, in: watches[lane])
          outcomes.withLock { _ = $0.updateValue(outcome, forKey: number + lane) }
        }
      }, together: false)
    ahead = outcomes.withLock { $0 }
    return ahead.removeValue(forKey: number) ?? nil
  }

  private func attempt(_ number: Int, in watch: Watch.Entry) -> Law.Search? {
    Self.attempt(law, seed, number, in: watch)
  }

  private static func attempt(
    _ law: Law, _ seed: UInt64, _ number: Int, in watch: Watch.Entry
  ) -> Law.Search? {
    watch.begin(case: number)
    defer { watch.rest() }
    return law.attempt(seed &+ UInt64(number - 1), watch)
  }
}

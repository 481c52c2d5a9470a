import StrataVerbs

/// A report of a check that has found no violation.
///
///     print(try await Laws.check(.level { Shelf().cache }, for: .seconds(20)))
///     // level.absence: 400 cases
///     // …
///     // 20144 of 33120 gets found a value
public final class LawReport: Sendable {
  private let state = Lock(
    (cases: [(law: String, count: Int)](), tally: LevelTally?.none, gaps: [String]()))

  /// The number of cases of each law, in the order in which the laws were checked.
  public var cases: [(law: String, count: Int)] { state.withLock { $0.cases } }

  /// For a level, one line for each kind of operation, with the number of all operations and of
  /// those that took effect. For laws of anything but a level, the array is empty.
  public var effects: [String] { state.withLock { $0.tally }?.lines ?? [] }

  /// One line for each part of a composite key that is the same in all samples. A level that ignores
  /// such a part can't be told from a correct one.
  public var gaps: [String] { state.withLock { $0.gaps } }

  init() {}

  func note(_ law: Law, cases: Int) {
    let gaps = law.gaps()
    state.withLock { state in
      state.cases.append((law.name, cases))
      state.tally = law.tally ?? state.tally
      state.gaps += gaps
    }
  }
}

extension LawReport: CustomStringConvertible {
  /// The laws with their numbers of cases, and the operations that took effect.
  public var description: String {
    (cases.map { "\($0.law): \($0.count) cases" } + effects + gaps).joined(separator: "\n")
  }
}

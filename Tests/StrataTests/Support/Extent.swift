import Foundation
import StrataLaws

/// The extent of long tests: full with `STRATA_LONG=1`, and partial by default.
enum Extent {
  static var isFull: Bool { ProcessInfo.processInfo.environment["STRATA_LONG"] == "1" }

  /// Returns the number of rounds: `full` with `STRATA_LONG=1`, and `part` by default.
  static func rounds(_ part: Int, full: Int) -> Int { isFull ? full : part }

  /// Returns the number of cases for a law about slow levels: the value of `STRATA_CASES` if it is
  /// set, and `part` otherwise.
  static func cases(_ part: Int) -> Int {
    ProcessInfo.processInfo.environment["STRATA_CASES"] == nil ? part : LawSeed.cases
  }
}

/// Checks all laws at the same time, each on a separate thread. If any law is violated, throws one of
/// the violations.
func checkTogether(_ laws: Laws, cases: Int = LawSeed.cases) async throws {
  try await withThrowingTaskGroup { group in
    for law in laws.laws {
      group.addTask { try await Laws.check(Laws(laws.name, [law]), cases: cases) }
    }
    try await group.waitForAll()
  }
}

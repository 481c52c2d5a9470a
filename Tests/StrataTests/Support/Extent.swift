import Foundation
import StrataLaws

/// The extent of long tests: full with `STRATA_LONG=1`, and a part by default.
enum Extent {
  static var isFull: Bool { ProcessInfo.processInfo.environment["STRATA_LONG"] == "1" }

  /// The number of rounds: `full` with `STRATA_LONG=1`, and `part` by default.
  static func rounds(_ part: Int, full: Int) -> Int { isFull ? full : part }

  /// The number of cases of a law with slow levels: `STRATA_CASES` if it is set.
  static func cases(_ part: Int) -> Int {
    ProcessInfo.processInfo.environment["STRATA_CASES"] == nil ? part : Seed.cases
  }
}

import Foundation

/// How much the long tests do: all with `STRATA_LONG=1`, a part otherwise.
enum Extent {
  static var isFull: Bool { ProcessInfo.processInfo.environment["STRATA_LONG"] == "1" }

  /// The number of rounds: `part` by default, `full` when asked for.
  static func rounds(_ part: Int, full: Int) -> Int { isFull ? full : part }
}

import StrataVerbs

extension Laws {
  /// The laws that `+` obeys in addition to the monoid laws: fall-through, back-fills, errors,
  /// cancellation, writes to every level, and the precedence of later writes.
  public static var sum: Laws { sum { $0 + $1 } }

  /// Returns laws that check your own sum.
  ///
  /// - Parameters:
  ///   - readOnly: A function that returns a read-only version of a level.
  ///   - sum: A function that adds two caches.
  public static func sum(
    readOnly: @escaping Verb = { $0.fetcher }, _ sum: @escaping Sum
  ) -> Laws {
    Laws("sum", reading(sum) + writing(sum, readOnly) + overlapping(sum))
  }

  private static func reading(_ sum: @escaping Sum) -> [Law] {
    let reading = LawDomain().with {
      $0.writes = false
      $0.asksOnce = true
      $0.keys = 0..<4
      $0.stored = 0..<4
    }
    return [
      Law(
        "sum.backFill", "get(a + b) == get(a) ?? fill(a, get(b))",
        "If the upper level fails, the lower level's value is returned immediately and back-filled.",
        in: reading
      ) {
        sum($0[0], $0[1])
      } is: {
        definedSum($0[0], $0[1])
      },
      Law(
        "sum.errors", "error(a + b) == max(error(a), error(b))",
        "A sum throws the greater error: notFound < other miss < failure. b's error wins a tie.",
        in: reading.with { $0.isSequential = true }
      ) {
        sum(sum($0[0], $0[1]), $0[2])
      } _: {
        violationsOfErrors($0, $1)
      },
      Law(
        "sum.cancellation", "cancel(get(a + b)) stops in a, and in b",
        "A cancelled get stops the running level, calls no further level, and doesn't back-fill.",
        in: reading.with { $0.injectsFaults = false }
      ) {
        sum($0[0], $0[1])
      } _: {
        violationsOfCancellation($0, $1)
      },
    ]
  }

  private static func writing(_ sum: @escaping Sum, _ readOnly: @escaping Verb) -> [Law] {
    let alone = LawDomain().with { $0.isSequential = true }
    return [
      Law(
        "sum.definition", "a + b == its definition",
        "If operations don't overlap, a sum equals its reference implementation.",
        in: alone.with { $0.failsWrites = false }
      ) {
        sum($0[0], $0[1])
      } is: {
        definedSum($0[0], $0[1])
      },
      Law(
        "sum.healing", "(a <*> t) + b heals a",
        "If a record doesn't decode, the next level's value is returned and replaces the record.",
        in: alone.with { $0.injectsFaults = false }, equality: .answers
      ) {
        sum($0[0] <*> .fragile, $0[1] <*> .shifted)
      } is: {
        definedSum($0[0] <*> .fragile, $0[1] <*> .shifted)
      },
      Law(
        "sum.writesReachAll", "write(a + b) == write(a), write(b)",
        "A write reaches every level, even if the write fails in another level.",
        in: LawDomain().with { $0.hasDistinctValues = true }
      ) {
        sum(sum($0[0], $0[1]), $0[2])
      } _: {
        violationsOfWrites($0, $1)
      },
      Law(
        "sum.failedWrites", "w; get == get after w, or a failure, even if w fails",
        "After a write has failed in any level, no get returns an older value.",
        in: LawDomain().with {
          $0.hasDistinctValues = true
          $0.cancels = false
          $0.levels = 2
          $0.keys = 0..<2
          $0.stored = 0..<2
        }
      ) {
        sum($0[0], $0[1])
      } _: {
        violationsOfUnknownValues($0, $1)
      },
      Law(
        "sum.readOnly", "set(a + b.fetcher) == set(a)",
        "A write to a read-only member succeeds without effect.",
        in: alone.with { $0.failsWrites = false }, equality: .answers
      ) {
        sum(sum(readOnly($0[1]), $0[0]), readOnly($0[2]))
      } is: {
        definedSum(definedSum($0[1].fetcher, $0[0]), $0[2].fetcher)
      },
    ]
  }

  private static func overlapping(_ sum: @escaping Sum) -> [Law] {
    let quiet = LawDomain().with {
      $0.injectsFaults = false
      $0.hasDistinctValues = true
      $0.levels = 2
      $0.keys = 0..<2
      $0.stored = 0..<2
      $0.clients = 3
      $0.hasSlowOrigin = true
    }
    let pair: LawBuild = { sum($0[0], $0[1]) }
    return [
      Law(
        "sum.laterWriteWins", "w; get == get after w",
        "After a write has settled, no get or back-fill makes an older value visible again.",
        in: quiet, of: pair, violationsOfOlderValues),
      Law(
        "sum.agreement", "at rest, a == b for every written key",
        "Overlapping writes of a key reach all levels in the same order.",
        in: quiet, of: pair, violationsOfDisagreement),
      Law(
        onThreads: "sum.laterWriteWinsOnThreads", "w; get == get after w, on threads",
        "With each client on a separate thread, no older value becomes visible after a write.",
        in: quiet, of: pair, violationsOfOlderValues),
      Law(
        onThreads: "sum.agreementOnThreads", "at rest, a == b, on threads",
        "With each client on a separate thread, all levels receive writes in the same order.",
        in: quiet, of: pair, violationsOfDisagreement),
    ]
  }
}

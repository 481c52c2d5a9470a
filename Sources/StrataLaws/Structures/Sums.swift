import Strata

extension Laws {
  /// The laws of `+` beyond the monoid: fall-through, back-fills, errors, cancellation, writes to
  /// every level, and the precedence of later writes.
  public static var sum: Laws { sum { $0 + $1 } }

  /// The laws of sums, for your own sum.
  ///
  /// - Parameters:
  ///   - readOnly: A function that returns a read-only member.
  ///   - sum: A function that adds two caches.
  public static func sum(
    readOnly: @escaping Verb = { $0.fetcher.cache }, _ sum: @escaping Sum
  ) -> Laws {
    Laws("sum", reading(sum) + writing(sum, readOnly) + overlapping(sum))
  }

  private static func reading(_ sum: @escaping Sum) -> [Law] {
    let reading = Domain().with {
      $0.writes = false
      $0.asksOnce = true
      $0.keys = 0..<4
      $0.stored = 0..<4
    }
    return [
      Law(
        "sum.backFill", "get(a + b) == get(a) ?? fill(a, get(b))",
        "A failure falls through. A value from the lower level is returned at once and back-filled.",
        in: reading
      ) {
        sum($0[0], $0[1])
      } is: {
        definedSum($0[0], $0[1])
      },
      Law(
        "sum.errors", "error(a + b) == max(error(a), error(b))",
        "A sum reports the greater error: notFound < other miss < failure. b's error wins a tie.",
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
    let alone = Domain().with { $0.isSequential = true }
    return [
      Law(
        "sum.definition", "a + b == its definition",
        "If operations don't overlap, a sum equals its reference definition.", in: alone
      ) {
        sum($0[0], $0[1])
      } is: {
        definedSum($0[0], $0[1])
      },
      Law(
        "sum.healing", "(a <*> t) + b heals a",
        "A record that doesn't decode is skipped, and the next level's value replaces it.",
        in: alone.with { $0.injectsFaults = false }, equality: .answers
      ) {
        sum($0[0] <*> .fragile, $0[1] <*> .shifted)
      } is: {
        definedSum($0[0] <*> .fragile, $0[1] <*> .shifted)
      },
      Law(
        "sum.writesReachAll", "write(a + b) == write(a), write(b)",
        "A write reaches every level, even if it fails in another level.",
        in: Domain().with { $0.hasDistinctValues = true }
      ) {
        sum(sum($0[0], $0[1]), $0[2])
      } _: {
        violationsOfWrites($0, $1)
      },
      Law(
        "sum.readOnly", "set(a + b.fetcher) == set(a)",
        "A write to a read-only member succeeds without effect.",
        in: alone, equality: .answers
      ) {
        sum(sum(readOnly($0[1]), $0[0]), readOnly($0[2]))
      } is: {
        definedSum(definedSum($0[1].fetcher.cache, $0[0]), $0[2].fetcher.cache)
      },
    ]
  }

  private static func overlapping(_ sum: @escaping Sum) -> [Law] {
    let quiet = Domain().with {
      $0.injectsFaults = false
      $0.hasDistinctValues = true
      $0.levels = 2
      $0.keys = 0..<2
      $0.stored = 0..<2
      $0.clients = 3
      $0.hasSlowOrigin = true
    }
    let pair: Build = { sum($0[0], $0[1]) }
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
        "The law also holds if each client has a separate thread.",
        in: quiet, of: pair, violationsOfOlderValues),
      Law(
        onThreads: "sum.agreementOnThreads", "at rest, a == b, on threads",
        "The law also holds if each client has a separate thread.",
        in: quiet, of: pair, violationsOfDisagreement),
    ]
  }
}

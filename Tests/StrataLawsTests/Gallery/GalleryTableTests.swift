import Strata
import XCTest

@testable import StrataLaws

/// Checks tables of wrong and correct levels and verbs. With `STRATA_SEEDS=20`, searches for each fault
/// with 20 seeds. With `STRATA_REPORT=1`, prints a row for each: the law, the case and the number of
/// operations with the default seed, the seconds for all seeds, and the number of seeds that found it.
final class GalleryTableTests: FaultCase {
  private let environment = ProcessInfo.processInfo.environment
  private var seeds: [UInt64] {
    let count = environment["STRATA_SEEDS"].flatMap { UInt64($0) } ?? 1
    return (0..<max(1, count)).map { LawSeed.value &+ $0 &* 7919 }
  }

  func testEachWrongLevelIsFound() {
    XCTAssertGreaterThanOrEqual(WrongLevels.all.count, 40)
    let (rows, seeds) = (WrongLevels.all, seeds)
    let results = onAllProcessors(rows.count) { index in
      let (_, laws, law) = rows[index]
      let start = ContinuousClock.now
      // A race may need more cases on a busy machine.
      let cases = laws.laws.contains { $0.name == law && $0.isRacing } ? 10_000 : LawSeed.cases
      let checked = laws.laws.filter { law == nil || $0.name == law }
      let found = seeds.compactMap { seed in
        Self.firstViolation(of: checked, seed, cases: cases, atOnce: 1)
      }
      return (found: found, duration: ContinuousClock.now - start)
    }
    for ((name, laws, law), (found, duration)) in zip(rows, results) {
      XCTAssertEqual(found.count, seeds.count, "\(name): \(law ?? laws.name)")
      guard environment["STRATA_REPORT"] == "1", let first = found.first else { continue }
      print(
        "wrong | \(name) | \(first.law.name) | \(first.number) | \(first.operations) | "
          + "\(duration) | \(found.count) of \(seeds.count)")
    }
  }

  func testEachCorrectLevelIsLawful() {
    XCTAssertGreaterThanOrEqual(CorrectLevels.all.count, 30)
    let (rows, seeds) = (CorrectLevels.all, seeds)
    let results = onAllProcessors(rows.count) { index in
      let start = ContinuousClock.now
      let found = seeds.compactMap { rows[index].laws.violation(seed: $0, cases: 20) }
      return (found: found, duration: ContinuousClock.now - start)
    }
    for ((name, laws), (found, duration)) in zip(rows, results) {
      XCTAssertNil(found.first, name)
      guard environment["STRATA_REPORT"] == "1" else { continue }
      print(
        "correct | \(name) | \(laws.name) | \(duration) | "
          + "\(seeds.count - found.count) of \(seeds.count)")
    }
  }
}

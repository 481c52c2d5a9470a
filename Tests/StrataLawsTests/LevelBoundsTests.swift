import Strata
import StrataLaws
import XCTest

/// Tests extreme arguments of the level laws, such as a capacity of `.max` or a negative number of
/// cases.
final class LevelBoundsTests: XCTestCase {
  func testACapacityBeyondSixtyIsTried() throws {
    for capacity in [61, 1000] {
      try Laws.check(
        .level(keeps: .upTo(capacity)) { Cache<Int, Int>.memory(capacity: .count(capacity)) },
        cases: 5)
    }
  }

  func testALevelThatHoldsMoreThanAHundredIsCaught() {
    let laws = Laws.level(keeps: .upTo(100)) { Cache<Int, Int>.dictionary() }
    XCTAssertEqual(laws.violation()?.law.name, "level.capacity")
  }

  func testALevelThatKeepsOneValueTooFewIsCaught() {
    for room in [2, 100] {
      let laws = Laws.level(keeps: .upTo(room)) {
        Cache<Int, Int>.memory(capacity: .count(room - 1))
      }
      XCTAssertEqual(laws.violation()?.law.name, "level.keeping", "\(room)")
    }
  }

  func testACapacityWithoutABoundIsNotTried() throws {
    try Laws.check(.level(keeps: .upTo(.max)) { Cache<Int, Int>.dictionary() }, cases: 2)
    try Laws.check(.level(keeps: .upTo(.min)) { Cache<Int, Int>.empty }, cases: 2)
  }

  func testKeysWithoutASpellingAreChosenByNumber() throws {
    try Laws.check(.level { Cache<Unspelt, Int>.dictionary() }, cases: 5)
  }

  func testEveryLawRunsATrial() {
    let laws = Laws.level {
      Cache<Int, Int>(get: { $0 }, set: { _, _ in throw CacheError.timedOut() })
    }
    for cases in [0, -3] { XCTAssertNotNil(laws.violation(cases: cases)) }
  }

  func testADomainHasOneLevelOfEachKind() {
    var domain = LawDomain()
    (domain.levels, domain.clients, domain.steps) = (0, -1, 0)
    (domain.keys, domain.values) = (0..<0, 4..<4)
    var random = SeededGenerator(seed: 1)
    let program = Program.random(domain, using: &random)
    XCTAssertEqual(program.scripts.count, 1)
    XCTAssertEqual(program.steps.count, 1)
  }
}

/// A key type whose `spellings` contain no keys.
private struct Unspelt: LawSample, Hashable {
  let number: Int

  static func sample(_ number: Int) -> Unspelt { Unspelt(number: number) }
  static var spellings: [[Unspelt]] { [[]] }
}

import Strata
import XCTest

@testable import StrataLaws

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

  func testALevelThatKeepsAHundredValuesTooFewIsCaught() throws {
    for (keeps, room) in [
      (.everything, 900), (.everything, 999), (.upTo(600), 500), (.upTo(1000), 999),
    ] as [(LevelKeeping, Int)] {
      let laws = Laws.level(keeps: keeps) { Cache<Int, Int>.memory(capacity: .count(room)) }
      let law = try XCTUnwrap(laws.laws.first { $0.name == "level.size" })
      XCTAssertNotNil(law.violation(cases: 1), "\(keeps), \(room)")
    }
    for keeps in [.everything, .upTo(1000), .upTo(600)] as [LevelKeeping] {
      let room = keeps.room == .max ? 1000 : keeps.room
      let laws = Laws.level(keeps: keeps) { Cache<Int, Int>.memory(capacity: .count(room)) }
      let law = try XCTUnwrap(laws.laws.first { $0.name == "level.size" })
      XCTAssertNil(law.violation(cases: 100), "\(keeps)")
    }
  }

  func testACapacityWithoutABoundIsNotTried() throws {
    try Laws.check(.level(keeps: .upTo(.max)) { Cache<Int, Int>.dictionary() }, cases: 2)
    try Laws.check(.level(keeps: .upTo(.min)) { Cache<Int, Int>.empty }, cases: 2)
  }

  func testKeysWithoutASpellingAreChosenByNumber() throws {
    try Laws.check(.level { Cache<Unspelt, Int>.dictionary() }, cases: 5)
  }

  func testTypesWithOneOrThreeSamplesAreLawful() throws {
    let folder = Box<[String: Box<[Only: Third]>]>([:])
    try Laws.check(.level { Cache<Only, Only>.dictionary() }, cases: 100)
    try Laws.check(.level { Cache<Only, Int>.dictionary() }, cases: 100)
    try Laws.check(.level { Cache<Third, Only>.dictionary() }, cases: 40)
    try Laws.check(.level(consistency: .regular) { Cache<Only, Only>.dictionary() }, cases: 40)
    try Laws.check(.level(keeps: .upTo(1)) { Cache<Only, Third>.memory(capacity: 1) }, cases: 40)
    try Laws.check(.level(keeps: .upTo(2)) { Cache<Third, Only>.memory(capacity: 2) }, cases: 40)
    try Laws.check(.level(keeps: .upTo(70)) { Cache<Third, Only>.memory(capacity: 70) }, cases: 40)
    try Laws.check(.level(keeps: .nothing) { Cache<Only, Only>.dictionary() }, cases: 40)
    try Laws.check(
      .level(consistency: .eventual(within: .seconds(60))) { Cache<Only, Only>.dictionary() },
      cases: 40)
    try Laws.check(
      .level(reopening: { place in
        Draft(
          holding: folder.update { folder in
            let held = folder[place] ?? Box([:])
            folder[place] = held
            return held
          }
        ).cache
      }), cases: 40)
    try Laws.check(.fetcher(values: { (_: Only) in 7 }) { Fetcher { _ in 7 } }, cases: 40)
    try Laws.check(
      .lifetime(.seconds(60)) { time in
        Cache<Only, Stamped<Int>>.memory(clock: time).expiring(after: .seconds(60))
      })
    try Laws.check(
      .lifetime(.seconds(60)) { time in
        Cache<Third, Stamped<Only>>.memory(clock: time).expiring(after: .seconds(60))
      })
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

/// A type of one value, whose other numbers are an error.
private struct Only: LawSample, Hashable {
  static var sampleCount: Int { 1 }
  static func sample(_ number: Int) -> Only {
    XCTAssertEqual(number, 0)
    return Only()
  }
}

/// A type of three values, whose other numbers are an error.
private struct Third: LawSample, Hashable {
  let number: Int
  static var sampleCount: Int { 3 }
  static func sample(_ number: Int) -> Third {
    XCTAssertTrue((0..<3).contains(number))
    return Third(number: number)
  }
}

/// A key type whose `spellings` contain no keys.
private struct Unspelt: LawSample, Hashable {
  let number: Int

  static func sample(_ number: Int) -> Unspelt { Unspelt(number: number) }
  static var spellings: [[Unspelt]] { [[]] }
}

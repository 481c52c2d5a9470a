import Strata
import XCTest

@testable import StrataLaws

/// Tests extreme arguments of the level laws, such as a capacity of `.max` or a negative number of
/// cases.
final class LevelBoundsTests: XCTestCase {
  func testACapacityBeyondSixtyIsTried() {
    expectLawful(
      [61, 1000].map { capacity in
        (.level(keeps: .upTo(capacity)) { Cache<Int, Int>.memory(capacity: .count(capacity)) }, 5)
      })
  }

  func testALevelThatHoldsMoreThanAHundredIsCaught() {
    let laws = Laws.level(keeps: .upTo(100)) { Cache<Int, Int>.dictionary() }
    XCTAssertEqual(laws.violation()?.law.name, "level.capacity")
  }

  func testALevelThatKeepsOneValueTooFewIsCaught() {
    let rooms = [2, 100]
    let names = onAllProcessors(rooms.count) { index in
      let laws = Laws.level(keeps: .upTo(rooms[index])) {
        Cache<Int, Int>.memory(capacity: .count(rooms[index] - 1))
      }
      return laws.violation()?.law.name
    }
    XCTAssertEqual(names, ["level.keeping", "level.keeping"])
  }

  func testALevelThatKeepsAHundredValuesTooFewIsCaught() {
    let levels: [(keeps: LevelKeeping, room: Int, isLawful: Bool)] = [
      (.everything, 900, false), (.everything, 999, false), (.upTo(600), 500, false),
      (.upTo(1000), 999, false), (.everything, 1000, true), (.upTo(1000), 1000, true),
      (.upTo(600), 600, true),
    ]
    let found = onAllProcessors(levels.count) { index in
      let (keeps, room, isLawful) = levels[index]
      let laws = Laws.level(keeps: keeps) { Cache<Int, Int>.memory(capacity: .count(room)) }
      let law = laws.laws.first { $0.name == "level.size" }
      return law.map { $0.violation(cases: isLawful ? 100 : 1) == nil }
    }
    for (level, isLawful) in zip(levels, found) {
      XCTAssertEqual(isLawful, level.isLawful, "\(level.keeps), \(level.room)")
    }
  }

  func testACapacityWithoutABoundIsNotTried() throws {
    try Laws.check(.level(keeps: .upTo(.max)) { Cache<Int, Int>.dictionary() }, cases: 2)
    try Laws.check(.level(keeps: .upTo(.min)) { Cache<Int, Int>.empty }, cases: 2)
  }

  func testKeysWithoutASpellingAreChosenByNumber() throws {
    try Laws.check(.level { Cache<Unspelt, Int>.dictionary() }, cases: 5)
  }

  func testTypesWithOneOrThreeSamplesAreLawful() {
    let folder = Box<[String: Box<[Only: Third]>]>([:])
    var all: [(laws: Laws, cases: Int)] = []
    all.append((.level { Cache<Only, Only>.dictionary() }, 100))
    all.append((.level { Cache<Only, Int>.dictionary() }, 100))
    all.append((.level { Cache<Third, Only>.dictionary() }, 40))
    all.append((.level(consistency: .regular) { Cache<Only, Only>.dictionary() }, 40))
    all.append((.level(keeps: .upTo(1)) { Cache<Only, Third>.memory(capacity: 1) }, 40))
    all.append((.level(keeps: .upTo(2)) { Cache<Third, Only>.memory(capacity: 2) }, 40))
    all.append((.level(keeps: .upTo(70)) { Cache<Third, Only>.memory(capacity: 70) }, 40))
    all.append((.level(keeps: .nothing) { Cache<Only, Only>.dictionary() }, 40))
    all.append(
      (
        .level(consistency: .eventual(within: .seconds(60))) { Cache<Only, Only>.dictionary() },
        40
      ))
    all.append(
      (
        .level(reopening: { place in
          Draft(
            holding: folder.update { folder in
              let held = folder[place] ?? Box([:])
              folder[place] = held
              return held
            }
          ).cache
        }), 40
      ))
    all.append((.fetcher(values: { (_: Only) in 7 }) { Fetcher { _ in 7 } }, 40))
    all.append(
      (
        .lifetime(.seconds(60)) { time in
          Cache<Only, Stamped<Int>>.memory(clock: time).expiring(after: .seconds(60))
        }, LawSeed.cases
      ))
    all.append(
      (
        .lifetime(.seconds(60)) { time in
          Cache<Third, Stamped<Only>>.memory(clock: time).expiring(after: .seconds(60))
        }, LawSeed.cases
      ))
    expectLawful(all)
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

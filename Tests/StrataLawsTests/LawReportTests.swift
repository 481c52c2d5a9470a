import Foundation
import Strata
import StrataLaws
import XCTest

/// Tests the reports of checks, their bound in time, and what they clean up.
final class LawReportTests: XCTestCase {
  func testAReportCountsTheCasesAndTheOperationsThatTookEffect() throws {
    let report = try Laws.check(.level { Cache<Int, Int>.dictionary() }, cases: 10)
    XCTAssertEqual(report.cases.first { $0.law == "level.reading" }?.count, 10)
    XCTAssertEqual(report.cases.first { $0.law == "level.size" }?.count, 1)
    XCTAssertTrue(report.effects.contains { $0.hasSuffix("gets found a value") }, "\(report)")
    XCTAssertTrue("\(report)".contains("level.many: 10 cases"))
  }

  /// A key of two parts, whose samples have only one language.
  private struct Page: LawSample, Hashable {
    var language = "en"
    var number: Int
    static func sample(_ number: Int) -> Page { Page(number: number) }
  }

  private struct Article: LawSample, Hashable {
    var language = "en"
    var number: Int
    static func sample(_ number: Int) -> Article { Article(number: number) }
    static var spellings: [[Article]] {
      [[Article(number: 1)], [Article(language: "fr", number: 1)]]
    }
  }

  func testAReportNamesTheConstantPartsOfCompositeKeys() throws {
    let report = try Laws.check(.level { Cache<Page, Int>.dictionary() }, cases: 1)
    XCTAssertEqual(
      report.gaps, ["all samples of Page have the same language, so a level may ignore it"])
    XCTAssertTrue("\(report)".contains("have the same language"))
    XCTAssertEqual(try Laws.check(.level { Cache<Article, Int>.dictionary() }, cases: 1).gaps, [])
    XCTAssertEqual(try Laws.check(.level { Cache<URL, Int>.dictionary() }, cases: 1).gaps, [])
    XCTAssertEqual(try Laws.check(.level { Cache<Data, Int>.dictionary() }, cases: 1).gaps, [])
    XCTAssertEqual(try Laws.check(.level { Cache<UUID, Int>.dictionary() }, cases: 1).gaps, [])
  }

  func testAReportOfVerbsHasNoEffects() throws {
    XCTAssertEqual(try Laws.check(.constants, cases: 2).effects, [])
  }

  func testACheckThatIsOutOfTimeRunsOneCaseOfEachLaw() throws {
    let laws = Laws.level { Cache<Int, Int>.dictionary() }
    let report = try Laws.check(laws, for: .zero)
    XCTAssertEqual(report.cases.map(\.count), laws.laws.map { _ in 1 })
  }

  func testAnAsyncCheckHasAReport() async throws {
    let report = try await Laws.check(.constants, for: .seconds(3600), cases: 3)
    XCTAssertEqual(Set(report.cases.map(\.count)), [3])
  }

  func testEachPlaceIsCleanedUpOnceAfterItsLastUse() throws {
    let places = Box<[String: Int]>([:])
    let cleaned = Box<[String: Int]>([:])
    let laws = Laws.level(
      cleanUp: { place in cleaned.update { $0[place, default: 0] += 1 } },
      reopening: { place in
        places.update { $0[place, default: 0] += 1 }
        XCTAssertNil(cleaned.value[place])
        return Cache<Int, Int>.dictionary().observed { _ in }
      })
    _ = laws.violation(cases: 3)
    XCTAssertEqual(Set(places.value.keys), Set(cleaned.value.keys))
    XCTAssertEqual(Set(cleaned.value.values), [1])
  }

  func testEachMadeLevelIsCleanedUp() throws {
    let (made, cleaned) = (Box(0), Box(0))
    try Laws.check(
      .level(cleanUp: { _ in cleaned.update { $0 += 1 } }) {
        made.update { $0 += 1 }
        return Cache<Int, Int>.dictionary()
      }, cases: 5)
    // A thread may hold the last level for a moment.
    let end = ContinuousClock.now + .seconds(60)
    while cleaned.value < made.value, ContinuousClock.now < end { usleep(1_000) }
    XCTAssertEqual(made.value, cleaned.value)
    XCTAssertGreaterThan(made.value, 50)
  }
}

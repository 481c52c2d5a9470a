import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheErrorTests: XCTestCase {
  private let all: [CacheError] = [
    .notFound, .conditionNotSatisfied, .timedOut(), .abandoned,
    .timedOut(stage: "remote", after: .seconds(5), key: "a"), .unsettled(stage: "remote", key: "a"),
    .circuitOpen(stage: "remote", until: .init(sinceEpoch: .seconds(60))),
    .overloaded(stage: "remote", waiting: 8),
    .undecodableResponse(by: "json", reason: "no object", key: "https://host/a"),
    .undecodable(by: "json", reason: "no object"), .unencodable(by: "json", reason: "not a number"),
    .otherVersion(found: 1, expected: 2),
  ]

  func testOnlyAbsenceIsAMiss() {
    XCTAssertEqual(all.filter(\.isMiss), [.notFound, .conditionNotSatisfied])
    XCTAssertTrue(ScriptError(level: 0, key: nil, isMiss: true).isMiss)
    XCTAssertFalse((CancellationError() as any Error).isMiss)
  }

  func testATimeoutNamesTheStageTheLimitAndTheKey() {
    let error = CacheError.timedOut(stage: "remote", after: .seconds(5), key: "a")
    XCTAssertTrue(error.description.hasPrefix("timed out in remote, key a: no answer within 5"))
  }

  func testAnUnsettledWriteNamesTheStageAndTheKey() {
    let error = CacheError.unsettled(stage: "remote", key: "a")
    XCTAssertTrue(error.description.hasPrefix("unsettled in remote, key a: "), error.description)
  }

  func testTheKeyOfAnErrorIsShortAndHasNoSecret() {
    XCTAssertEqual(shortened("a"), "a")
    XCTAssertEqual(shortened(7), "7")
    XCTAssertEqual(shortened(String(repeating: "a", count: 61)).count, 61)
    XCTAssertEqual(shortened("https://me:secret@host/a?token=1"), "https://host/a…")
    XCTAssertEqual(shortened("https://host/@a"), "https://host/@a")
    for key in [":", "a:", "a:/", "a://"] { XCTAssertEqual(shortened(key), key) }
  }

  func testEachErrorStatesItsCauseAndItsRemedy() {
    for error in all {
      XCTAssertGreaterThan(error.description.split(separator: " ").count, 8, "\(error)")
      XCTAssertTrue(error.description.hasSuffix("."), error.description)
      XCTAssertEqual(error.localizedDescription, error.description)
    }
  }

  func testErrorsAreAMonoidWithNotFoundAsItsIdentity() {
    let errors: [any Error] =
      all + [
        ScriptError(level: 0, key: 0, isMiss: true), ScriptError(level: 1, key: 0, isMiss: false),
      ]
    func text(_ error: any Error) -> String { String(describing: error) }
    for a in errors {
      XCTAssertEqual(text(outranking(upper: CacheError.notFound, lower: a)), text(a))
      XCTAssertEqual(text(outranking(upper: a, lower: CacheError.notFound)), text(a))
      for b in errors {
        for c in errors {
          XCTAssertEqual(
            text(outranking(upper: outranking(upper: a, lower: b), lower: c)),
            text(outranking(upper: a, lower: outranking(upper: b, lower: c))))
        }
      }
    }
  }
}

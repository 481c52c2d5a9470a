import Foundation
import Strata
import XCTest

@testable import StrataLaws

/// Tests that the reports of violations say what a reader needs to find the fault.
final class LawMessageTests: XCTestCase {
  private func text<Value: LawSample, Stored: Sendable>(
    _ encode: @escaping @Sendable (Value) -> Stored,
    _ decode: @escaping @Sendable (Stored) throws -> Value
  ) throws -> String {
    let laws = Laws.level("shelf") {
      Draft<Int, Stored>().cache <*> Codec(decode: decode, encode: encode)
    }
    let law = try XCTUnwrap(laws.laws.first { $0.name == "level.values" })
    return try XCTUnwrap(law.violation()).description
  }

  func testAValueThatNobodyStoredIsShownWithItsDifference() throws {
    let data = try text({ (data: Data) in Data(data.prefix(5)) }) { $0 }
    XCTAssertTrue(data.contains("5 bytes instead of"), data)
    XCTAssertTrue(data.contains("for \"shelf\""), data)
    XCTAssertEqual(
      LawText.difference(0.1, Double(Float(0.1))),
      "0.1 instead of 0.10000000149011612, bits 0x3fb999999999999a and 0x3fb99999a0000000")
    XCTAssertEqual(
      LawText.difference("abc", "abd"),
      "3 bytes, the first difference at byte 2: 0x63 instead of 0x64")
    XCTAssertNil(LawText.difference([1, 2], [1, 2]))
  }

  func testALongValueMakesNoLongReport() throws {
    let text = try text({ (text: String) in String(text.reversed()) }) { $0 }
    XCTAssertLessThan(text.count, 8_000)
    let long = String(repeating: "abcdefghij", count: 100_000)
    let laws = Laws.codec("cut", Codec<String, String>(decode: { $0 + "x" }, encode: { $0 })) { _ in
      long
    }
    let violation = try XCTUnwrap(laws.violation(cases: 1)).description
    XCTAssertLessThan(violation.count, 3_000)
    XCTAssertTrue(violation.contains("1000001 bytes instead of 1000000"), violation)
    XCTAssertTrue(violation.contains("the program, of 1 operations"), violation)
  }

  func testACodecThatLosesFractionsShowsTheDifferenceOfEqualTexts() throws {
    struct Event: Equatable { var name = "a"; var times: [Date] }
    let codec = Codec<Event, Event>(
      decode: { $0 },
      encode: { event in
        Event(
          times: event.times.map {
            Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate.rounded())
          })
      })
    let laws = Laws.codec("iso", codec) { _ in
      Event(times: [.distantPast, Date(timeIntervalSinceReferenceDate: 1.25)])
    }
    let text = try XCTUnwrap(laws.violation(cases: 1)).description
    XCTAssertTrue(text.contains("in .times.1, seconds after 2001: 1.0 instead of 1.25"), text)
  }

  func testACancellationNamesTheStepThatItCancels() {
    let steps = [
      Step(.get(0)), Step(.settle(level: 0, 0)), Step(.set(0, 1), client: 1), Step(.remove(0)),
      Step(.cancel(3)), Step(.cancel(0), client: 1), Step(.cancel(0), client: 2),
    ]
    XCTAssertEqual(
      steps.numbered().suffix(3),
      [
        "5. client 0: cancel the remove of step 4", "6. client 1: cancel the set of step 3",
        "7. client 2: cancel nothing",
      ])
    XCTAssertEqual(steps.numbered(isShared: true)[4], "5. client 0: cancel the get of step 1")
  }

  func testALevelThatIsNotDeterministicIsReportedAsSuch() throws {
    let count = Box(0)
    let laws = Laws.wrong { draft, held in
      draft.get = { key in
        let number = count.update { count in
          count += 1
          return count
        }
        if number % 50 == 49 { return 63 }
        return try found(held.value[key])
      }
    }
    let law = try XCTUnwrap(laws.laws.first { $0.name == "level.reading" })
    let text = try XCTUnwrap(law.violation()).description
    XCTAssertTrue(text.contains("not in each run"), text)
    XCTAssertTrue(text.contains("Of 10 more runs of this program"), text)
  }

  func testTheReportMarksTheFirstWrongGetOfAHistory() throws {
    func get(_ value: Int, _ step: Int) -> LawObservation.Operation {
      .init(
        step: step, action: .get(0), began: step * 2, settled: step * 2 + 1, answer: .value(value),
        settlements: 1)
    }
    let set = LawObservation.Operation(
      step: 1, action: .set(0, 5), began: 2, settled: 3, answer: .done, settlements: 1)
    let history = History(
      LawObservation(operations: [set, get(5, 2), get(7, 3), get(5, 4), get(8, 5)]))
    let evidence = try XCTUnwrap(history.evidence())
    let wrong = zip(evidence.left.lines, evidence.right.lines).map { $0 != $1 }
    XCTAssertEqual(wrong, [false, false, true, false, false])
  }

  func testABlockingCheckNamesTheTopLevelOfScripts() {
    XCTAssertTrue(BlockedTask(laws: "level").description.contains("top level of a script"))
  }

  func testALifetimeThatIsTooLongShowsTheValueThatWasFound() throws {
    let laws = Laws.lifetime(.seconds(60)) { time in
      CorrectLevels.lived(time) { draft, time, held in
        draft.get = { key in try found(held.value[key]?.value) }
      }
    }
    let law = try XCTUnwrap(laws.laws.first { $0.name == "lifetime.ended" })
    let text = try XCTUnwrap(law.violation()).description
    XCTAssertTrue(text.contains("1. set 0 to 0"), text)
    XCTAssertTrue(text.contains(": found 0"), text)
    XCTAssertTrue(text.contains("get 0: not found, after 1"), text)
  }
}

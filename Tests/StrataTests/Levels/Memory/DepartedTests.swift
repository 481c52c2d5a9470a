import XCTest

@testable import Strata

final class DepartedTests: XCTestCase {
  private func told(_ departed: Departed<String, Int>) -> [String] {
    var told: [String] = []
    departed.forEach(of: "written") { key, value, cause in told.append("\(key) \(value) \(cause)") }
    return told
  }

  func testNobodyHasLeftAtFirst() { XCTAssertEqual(told(Departed()), []) }

  func testWithoutAKeyItIsTheOneThatWasWritten() {
    XCTAssertEqual(told(Departed(nil, 1, .replaced)), ["written 1 replaced"])
    XCTAssertEqual(told(Departed("a", 1, .expired)), ["a 1 expired"])
    XCTAssertEqual(told(Departed("a", nil, .capacity)), [])
  }

  func testAllAreToldInTheirOrderEachWithItsCause() {
    var departed = Departed<String, Int>()
    departed.append("a", 1, .capacity)
    departed.append("b", 2, .expired)
    var other = Departed<String, Int>(nil, 3, .replaced)
    other.append("d", 4, .removed)
    departed.append(other, of: "c")
    XCTAssertEqual(told(departed), ["a 1 capacity", "b 2 expired", "c 3 replaced", "d 4 removed"])
  }
}

import StrataLaws
import XCTest

/// A test whose subject is broken on purpose.
class FaultCase: XCTestCase {
  /// Expects the laws to find a fault within the default number of cases and to shrink it to at
  /// most six operations; with `STRATA_REPORT=1` it says in how many.
  ///
  /// - Parameter most: How many operations may be left: a race between threads may hide while its
  ///   program is made smaller.
  func expectCaught(
    _ fault: String, by laws: Laws, as name: String? = nil, within most: Int = 6,
    line: UInt = #line
  ) {
    guard let violation = laws.violation() else {
      return XCTFail("\(fault): not caught by \(laws.name)", line: line)
    }
    if ProcessInfo.processInfo.environment["STRATA_REPORT"] == "1" {
      print(
        "fault | \(fault) | \(violation.law.name) | \(violation.number) | \(violation.operations)")
    }
    XCTAssertLessThanOrEqual(violation.operations, most, "\(violation)", line: line)
    if let name { XCTAssertEqual(violation.law.name, name, "\(violation)", line: line) }
  }
}

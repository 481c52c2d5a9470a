import StrataLaws
import XCTest

/// A test whose subject is broken on purpose.
///
/// Each fault names the laws that find it: `LAWS.md` is the list, by law, and `LawTableTests` holds
/// it against these tests and the library.
class FaultCase: XCTestCase {
  /// Expects each of the laws that are named to find a fault within the default number of cases,
  /// and to shrink it to a few operations; with `STRATA_REPORT=1` it says in how many.
  ///
  /// - Parameters:
  ///   - laws: The structure of the laws, of what is broken.
  ///   - names: The laws that must not hold of it.
  ///   - isAlone: Whether all other laws of the structure hold: of twenty cases, and with
  ///     `STRATA_LONG=1` of as many as find a fault.
  ///   - cases: The number of cases, if the fault shows rarely.
  ///   - most: How many operations may be left: a race between threads may hide while its program
  ///     is made smaller.
  func expectCaught(
    _ fault: String, by laws: Laws, as names: [String], alone isAlone: Bool = false,
    within most: Int = 6, cases: Int = Seed.cases, line: UInt = #line
  ) {
    for name in names {
      guard let law = laws.laws.first(where: { $0.name == name }) else {
        return XCTFail("\(fault): there is no law \(name) in \(laws.name)", line: line)
      }
      guard let violation = law.violation(cases: cases) else {
        return XCTFail("\(fault): \(name) holds", line: line)
      }
      XCTAssertEqual(violation.law.name, name, line: line)
      XCTAssertLessThanOrEqual(violation.operations, most, "\(violation)", line: line)
      report(fault, "\(name) | \(violation.number) | \(violation.operations)")
    }
    let environment = ProcessInfo.processInfo.environment
    let (isLong, isReported) = (
      environment["STRATA_LONG"] == "1", environment["STRATA_REPORT"] == "1"
    )
    guard isAlone || isReported else { return }
    for law in laws.laws where !names.contains(law.name) {
      let violation = law.violation(cases: isLong || isReported ? Seed.cases : 20)
      if let violation { report(fault, "and \(law.name) | \(violation.number)") }
      if isAlone { XCTAssertNil(violation, "\(fault) breaks \(law.name) too", line: line) }
    }
  }

  /// Expects one law to find a fault.
  func expectCaught(
    _ fault: String, by laws: Laws, as name: String, alone isAlone: Bool = false,
    within most: Int = 6, line: UInt = #line
  ) {
    expectCaught(fault, by: laws, as: [name], alone: isAlone, within: most, line: line)
  }

  /// Expects the check of a level to fail by this law first, as a person would name the mistake.
  func expectCaught(
    _ fault: String, firstBy laws: Laws, as name: String, within most: Int = 6, line: UInt = #line
  ) {
    guard let violation = laws.violation() else {
      return XCTFail("\(fault): all laws hold", line: line)
    }
    XCTAssertEqual(violation.law.name, name, "\(fault): \(violation)", line: line)
    XCTAssertLessThanOrEqual(violation.operations, most, "\(violation)", line: line)
    report(fault, "\(violation.law.name) | \(violation.number) | \(violation.operations)")
  }

  /// Skips a test unless `STRATA_LONG=1` asks for it.
  func skipUnlessLong(_ reason: String) throws {
    try XCTSkipUnless(ProcessInfo.processInfo.environment["STRATA_LONG"] == "1", reason)
  }

  private func report(_ fault: String, _ text: String) {
    guard ProcessInfo.processInfo.environment["STRATA_REPORT"] == "1" else { return }
    print("fault | \(name) | \(fault) | \(text)")
  }
}

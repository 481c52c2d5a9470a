import XCTest

@testable import StrataLaws

/// The base class of tests that plant a fault in an implementation.
///
/// Each test names the laws that must detect its planted fault. `LAWS.md` lists the faults of each
/// law, and `LawTableTests` compares this list with the tests and with the library.
class FaultCase: XCTestCase {
  /// The number of cases that run at the same time. A law finds the same first violation with any
  /// number.
  static let lanes = ProcessInfo.processInfo.activeProcessorCount

  /// Expects each named law to find the planted fault, and to shrink the failing program to a few
  /// operations. With `STRATA_REPORT=1`, prints the number of operations.
  ///
  /// - Parameters:
  ///   - laws: The laws of the faulty implementation.
  ///   - names: The laws whose checks must catch the fault.
  ///   - isAlone: Whether the fault must break only the laws in `names`. If `true`, all other laws
  ///     are checked with twenty cases. With `STRATA_LONG=1` or `STRATA_REPORT=1`, all other laws
  ///     are checked with the default number of cases.
  ///   - cases: The number of cases. Rare faults need more cases.
  ///   - most: The maximum number of operations in the shrunk program. The default is six. Use a
  ///     larger maximum for a race that occurs only in long programs.
  func expectCaught(
    _ fault: String, by laws: Laws, as names: [String], alone isAlone: Bool = false,
    within most: Int = 6, cases: Int = LawSeed.cases, line: UInt = #line
  ) {
    for name in names {
      guard let law = laws.laws.first(where: { $0.name == name }) else {
        return XCTFail("\(fault): there is no law \(name) in \(laws.name)", line: line)
      }
      guard let violation = law.violation(LawSeed.value, cases, goal: most, atOnce: Self.lanes)
      else {
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
      let cases = isLong || isReported ? LawSeed.cases : 20
      let violation = law.violation(LawSeed.value, cases, atOnce: Self.lanes)
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

  /// Expects `name` to be the first law in `laws` that the fault breaks. This law describes the
  /// fault best.
  func expectCaught(
    _ fault: String, firstBy laws: Laws, as name: String, within most: Int = 6,
    atOnce lanes: Int = lanes, line: UInt = #line
  ) {
    guard let violation = Self.firstViolation(of: laws.laws, atOnce: lanes) else {
      return XCTFail("\(fault): no law finds the fault", line: line)
    }
    XCTAssertEqual(violation.law.name, name, "\(fault): \(violation)", line: line)
    XCTAssertLessThanOrEqual(violation.operations, most, "\(violation)", line: line)
    report(fault, "\(violation.law.name) | \(violation.number) | \(violation.operations)")
  }

  /// Returns the first violation. A lazy `compactMap` would search for it twice, and a race might not
  /// happen again.
  static func firstViolation(
    of laws: [Law], _ seed: UInt64 = LawSeed.value, cases: Int = LawSeed.cases,
    atOnce lanes: Int = lanes
  ) -> LawViolation? {
    for law in laws {
      if let violation = law.violation(seed, cases, atOnce: lanes) { return violation }
    }
    return nil
  }

  /// Skips a test unless `STRATA_LONG=1` is set.
  func skipUnlessLong(_ reason: String) throws {
    try XCTSkipUnless(ProcessInfo.processInfo.environment["STRATA_LONG"] == "1", reason)
  }

  private func report(_ fault: String, _ text: String) {
    guard ProcessInfo.processInfo.environment["STRATA_REPORT"] == "1" else { return }
    print("fault | \(name) | \(fault) | \(text)")
  }
}

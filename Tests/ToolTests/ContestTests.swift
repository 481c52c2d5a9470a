import XCTest

@testable import strata_tool

/// Every contest, with as little of everything as shows that it runs and compares what is there.
final class ContestTests: XCTestCase {
  func testEachContestRunsWithoutFaultAndComparesSubjectsThatItHas() async throws {
    for contest in Contest.all where ![.disk, .memory, .bytes].contains(contest.group) {
      let name = "\(contest.group): \(contest.title)"
      let rows = try await contest.rows(1, .quick)
      XCTAssertFalse(rows.isEmpty, name)
      XCTAssertEqual(Set(rows.map(\.subject)).count, rows.count, name)
      for row in rows {
        XCTAssertEqual(row.group, contest.group, name)
        XCTAssertNil(row.fault, "\(name), \(row.subject)")
        if row.unit == .time { XCTAssertGreaterThan(row.figure.median, 0, name) }
        // Allocations are not counted on every platform; what is compared with another subject
        // is without a figure only where there is no subject of that name.
        for check in row.checks where check.target.measure != .allocations {
          XCTAssertNotNil(check.figure, "\(name), \(row.subject): \(check.target)")
        }
      }
    }
  }
}

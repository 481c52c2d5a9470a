import Strata
import XCTest

@testable import strata_tool

final class SystemReportTests: XCTestCase {
  func testThisSystemIsSoundAndEachProbeHasARow() throws {
    let report = try SystemReport()
    XCTAssertTrue(report.isSound, report.text)
    XCTAssertEqual(report.rows.count, SystemProbe.all.count)
    for row in report.rows {
      XCTAssertTrue(report.text.contains("| \(row.subject) | "), report.text)
    }
  }

  func testReportsAtTheSameTimeAreSound() throws {
    let reports = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let report = try? SystemReport()
      if report?.isSound != true { reports.withLock { $0.append(report?.text ?? "no report") } }
    }
    XCTAssertEqual(reports.withLock { $0 }, [])
  }

  func testArgumentsAreRefused() async throws {
    do {
      _ = try await Command.report.run(["now"], .standard)
      XCTFail("accepted")
    } catch { XCTAssertTrue("\(error)".contains("now"), "\(error)") }
  }
}

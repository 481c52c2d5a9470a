import Foundation
import Strata
import XCTest

@testable import strata_tool

/// Tests that the tour detects faults: a step that makes a wrong claim must fail.
final class TourStepTests: XCTestCase {
  func testASuccessfulStepHasNoFaults() async throws {
    let report = try await report(answerer: .network, requests: 1) { scene in
      try await scene.get("/README.md")
      return "a remark"
    }
    XCTAssertEqual(report.faults, [])
    XCTAssertEqual(report.remark, "a remark")
    XCTAssertEqual(report.answerer, .network)
  }

  func testAnotherLevelIsAFault() async throws {
    let report = try await report(answerer: .disk, requests: 1) { scene in
      try await scene.get("/README.md")
      return nil
    }
    XCTAssertEqual(report.faults, ["answered by network instead of disk"])
  }

  func testAnotherNumberOfRequestsIsAFault() async throws {
    let report = try await report(answerer: .network, requests: 0) { scene in
      try await scene.get("/README.md")
      return nil
    }
    XCTAssertEqual(report.faults, ["the origin received 1 instead of 0 requests"])
  }

  func testAnotherValueIsAFault() async throws {
    let report = try await report(answerer: .disk, requests: 0) { scene in
      try await scene.cache.set("stale", for: scene.origin.url("/README.md"))
      try await scene.get("/README.md", through: scene.other())
      return nil
    }
    XCTAssertEqual(report.faults.count, 1)
    XCTAssertTrue(report.faults.first?.contains("/README.md differs") == true, "\(report.faults)")
  }

  func testALevelThatIsNotFilledIsAFault() async throws {
    let report = try await report(answerer: .network, requests: 1, isDiskThere: false) { scene in
      try await scene.get("/README.md")
      return nil
    }
    XCTAssertEqual(report.faults.count, 1)
    XCTAssertTrue(report.faults.first?.contains("weren't filled") == true, "\(report.faults)")
  }

  func testTheTourWritesAPage() async throws {
    let step = TourStep(title: "a get", answerer: .network, requests: 1) { scene in
      try await scene.get("/README.md")
      return nil
    }
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = directory.url.appendingPathComponent("tour.html")
    let status = try await Tour.run(
      [step], on: Console(print: { _ in }, complain: { _ in }, isColored: false),
      html: OutputFile(file.path))
    XCTAssertEqual(status, .success)
    let page = try String(contentsOf: file, encoding: .utf8)
    XCTAssertTrue(page.contains("The tour of Strata") && !page.contains("http-equiv=\"refresh"))
    for stage in Stage.allCases { XCTAssertTrue(page.contains(stage.rawValue), stage.rawValue) }
  }

  func testAFailedStepFailsTheTourAndIsNamed() async throws {
    let step = TourStep(title: "a wrong claim", answerer: .memory, requests: 0) { scene in
      try await scene.get("/README.md")
      return nil
    }
    let lines = Lock<[String]>([])
    let console = Console(
      print: { line in lines.withLock { $0.append(line) } }, complain: { _ in }, isColored: false)
    let status = try await Tour.run([step], on: console)
    XCTAssertEqual(status, .failure)
    let text = lines.withLock { $0.joined(separator: "\n") }
    XCTAssertTrue(text.contains("FAILED\n    answered by network instead of memory\n"), text)
    XCTAssertTrue(text.contains("1 of 1 steps FAILED"), text)
  }

  private func report(
    answerer: Stage?, requests: Int, isDiskThere: Bool = true,
    _ act: @escaping @Sendable (Scene) async throws -> String?
  ) async throws -> TourStep.Report {
    let origin = try Origin(serving: Pages(contents: Pages.builtIn), delay: .zero)
    defer { origin.stop() }
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let nowhere = URL(fileURLWithPath: "/dev/null")
    let scene = Scene(
      origin: origin, pages: Pages(contents: Pages.builtIn),
      directory: isDiskThere ? directory.url : nowhere)
    return await TourStep(title: "", answerer: answerer, requests: requests, act: act).run(
      in: scene)
  }
}

import Foundation
import Strata
import XCTest

@testable import strata_tool

final class ExplainTests: XCTestCase {
  private func explain(_ arguments: [String]) async -> (status: ExitStatus, text: String) {
    let output = Lock("")
    let console = Console(
      print: { text in output.withLock { $0 += text + "\n" } },
      complain: { text in output.withLock { $0 += text + "\n" } }, isColored: false)
    let status = await StrataTool.run(["explain"] + arguments, on: console)
    return (status, output.withLock { $0 })
  }

  func testEveryPipelineIsShownInEveryForm() async throws {
    for subject in ExplainSubject.all {
      let end = await explain([subject.name])
      XCTAssertEqual(end.status, .success)
      let plan = try subject.plan()
      for form in ExplainForm.allCases {
        XCTAssertTrue(
          end.text.contains("\(form.rawValue):\n\(form.text(of: plan))\n"), form.rawValue)
      }
    }
  }

  func testThePipelineOfTheTourIsTheDefault() async {
    let end = await explain(["--form", "expression"])
    XCTAssertEqual(
      end.text, "memory(1000) + (keys <^> disk(100 MB) <*> utf8 + network <*> utf8).pooled()\n")
    let other = await explain(["headline", "--form=expression"])
    XCTAssertEqual(
      other.text,
      "(memory(1000) + keys <^> disk(100 MB) <*> stamped(json)).expiring(after: 60 min)"
        + " + (network <*> json).pooled()\n")
  }

  func testUnknownNamesAreReported() async {
    for (arguments, word) in [
      (["nothing"], "there is no pipeline 'nothing'"),
      (["nothing"], ExplainSubject.names.joined(separator: ", ") + ", -."),
      (["--fast"], "has no argument '--fast'"),
      (["--form", "pdf"], "'pdf'"), (["--form"], "--form needs"),
      (["tour", "headline"], "'headline' is one too many"),
      (["--trace", "tour"], "'tour' is one too many"),
      (["--trace", "--form", "json"], "takes no form"),
      (["--svg", "-"], "a file"),
    ] {
      let end = await explain(arguments)
      XCTAssertEqual(end.status, .usage, "\(arguments)")
      XCTAssertTrue(end.text.contains(word), end.text)
    }
  }

  func testATraceShowsColdAndWarmGets() async {
    let end = await explain(["--trace"])
    XCTAssertEqual(end.status, .success, end.text)
    XCTAssertTrue(
      end.text.contains("network had it, since memory had nothing and disk had nothing"), end.text)
    XCTAssertTrue(
      end.text.contains("disk had it, since memory had nothing; it was written into memory"),
      end.text)
    XCTAssertTrue(end.text.contains("\nmemory had it\n"), end.text)
  }

  func testADrawingIsWrittenAsAFile() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    for arguments in [["tour-observed"], ["--trace"]] {
      let file = directory.url.appendingPathComponent("drawing.svg")
      let end = await explain(arguments + ["--svg", file.path])
      XCTAssertEqual(end.status, .success, end.text)
      XCTAssertEqual(end.text, "")
      try assertWellFormed(String(contentsOf: file, encoding: .utf8))
    }
  }

  func testTheDrawingOfTheReadmeIsTheOneThatTheLibraryMakes() throws {
    let root = try XCTUnwrap(Pages.root(above: URL(fileURLWithPath: #filePath)))
    let file = root.appendingPathComponent("Sources/Strata/Strata.docc/Resources/pipeline.svg")
    let headline = try XCTUnwrap(ExplainSubject.all.first { $0.name == "headline" })
    XCTAssertEqual(
      try String(contentsOf: file, encoding: .utf8), try headline.plan().svg,
      "swift run strata-tool explain headline --svg Sources/Strata/Strata.docc/Resources/pipeline.svg"
    )
  }
}

extension StrataToolTests {
  func testAPlanIsReadFromStandardInput() throws {
    let plan = try XCTUnwrap(ExplainSubject.all.first).plan()
    let end = try run(["explain", "-", "--form", "tree"], input: plan.json)
    XCTAssertEqual(end.status, 0, end.errors)
    XCTAssertEqual(end.output, plan.tree + "\n")
    let broken = try run(["explain", "-"], input: "{ \"strata\": 2 }")
    XCTAssertEqual(broken.status, 1)
    XCTAssertEqual(
      broken.errors, "strata-tool: invalid plan: the member \"plan\" is missing\n")
    let silent = try run(["explain", "-"], redirected: "<&-")
    XCTAssertEqual(silent.status, 1)
    XCTAssertEqual(
      silent.errors, "strata-tool: standard input cannot be read: Bad file descriptor\n")
  }
}

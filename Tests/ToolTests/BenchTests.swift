import Foundation
import XCTest

@testable import strata_tool

final class BenchTests: XCTestCase {
  func testOptionsAreRead() throws {
    let plain = try BenchOptions([])
    XCTAssertEqual(plain.groups, Group.allCases)
    XCTAssertEqual(plain.scale, Scale())
    let arguments = ["--group", "disk,memory", "--group=set", "--rounds", "3", "--quick"]
    let options = try BenchOptions(arguments + ["--json", "a", "--svg", "b"])
    XCTAssertEqual(options.groups, [.memory, .set, .disk])
    XCTAssertEqual(options.rounds, 3)
    XCTAssertEqual(options.scale, .quick)
    XCTAssertEqual([options.json, options.svg], ["a", "b"])
  }

  func testWhatIsUnknownIsNamed() async {
    for (arguments, words) in [
      (["--group", "memroy"], ["'memroy'", "--group", "memory, composed"]),
      (["--group"], ["--group needs"]), (["--rounds", "0"], ["'0'", "from 1"]),
      (["--fast"], ["'--fast'"]),
    ] {
      let errors = Guarded("")
      let console = Console(
        print: { _ in }, complain: { text in errors.withLock { $0 += text } }, isColoured: false)
      let status = await StrataTool.run(["bench"] + arguments, on: console)
      XCTAssertEqual(status, .usage)
      let text = errors.withLock { $0 }
      for word in words { XCTAssertTrue(text.contains(word), text) }
    }
  }

  func testEveryGroupHasContestsOfTheirOwn() {
    XCTAssertEqual(Set(Contest.all.map(\.group)), Set(Group.allCases))
    let titles = Contest.all.map { "\($0.group) \($0.title)" }
    XCTAssertEqual(Set(titles).count, titles.count)
  }

  func testSubjectsAreMeasuredInTurnsAndComparedWithTheFirst() async throws {
    let order = Guarded<[String]>([])
    let subjects = ["a", "b"].map { name in
      Subject(name: name, targets: [.ratio(must: .infinity, aim: 0)], limit: 1) { count in
        order.withLock { $0 += Array(repeating: name, count: count) }
      }
    }
    let rows = try await Measurement(
      of: (.memory, "turns"), subjects, rounds: 2, sample: .seconds(60)
    ).rows()
    XCTAssertEqual(order.withLock { $0 }, ["a", "b", "a", "b", "b", "a", "a", "b"])
    XCTAssertEqual(rows.map(\.subject), ["a", "b"])
    XCTAssertEqual(rows.first?.ratio.median, 1)
    XCTAssertEqual(rows.map(\.verdict), [.must, .must])
  }

  func testASmallRunFillsTableReportAndDrawing() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (json, svg) = (directory.url.path + "/a.json", directory.url.path + "/a.svg")
    let lines = Guarded<[String]>([])
    let console = Console(
      print: { text in lines.withLock { $0 += text.components(separatedBy: "\n") } },
      complain: { _ in }, isColoured: false)
    let status = await StrataTool.run(
      ["bench", "--quick", "--rounds", "1", "--group", "memory,pooled,bytes", "--json", json]
        + ["--svg", svg], on: console)
    XCTAssertEqual(status, .success)
    let text = lines.withLock { $0 }
    XCTAssertEqual(text.filter { $0.count > 100 }, [])
    for title in Contest.memory.map(\.title) { XCTAssertTrue(text.contains("memory: \(title)")) }
    let object = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: json)))
    let rows = try XCTUnwrap((object as? [String: Any])?["rows"] as? [[String: Any]])
    XCTAssertEqual(rows.count, 27 + 5 + 3)
    try assertWellFormed(String(contentsOfFile: svg, encoding: .utf8))
  }
}

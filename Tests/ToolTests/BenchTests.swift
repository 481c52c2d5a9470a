import Foundation
import Strata
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
    XCTAssertEqual([options.json?.path, options.svg?.path], ["a", "b"])
    let few = try BenchOptions(["--group", "memory,composed", "--contest", "HIT AT THE TOP"])
    XCTAssertEqual(
      Benchmark.all.filter(few.includes).map(\.title), ["hit at the top, by number of levels"])
  }

  func testUnknownNamesAreReported() async {
    for (arguments, words) in [
      (["--group", "memroy"], ["'memroy'", "--group", "memory, composed"]),
      (["--group"], ["--group needs"]), (["--rounds", "0"], ["'0'", "from 1"]),
      (["--fast"], ["'--fast'"]),
      (["--group", "set", "--contest", "hit at the top"], ["'hit at the top'", "--contest"]),
    ] {
      let errors = Lock("")
      let console = Console(
        print: { _ in }, complain: { text in errors.withLock { $0 += text } }, isColored: false)
      let status = await StrataTool.run(["bench"] + arguments, on: console)
      XCTAssertEqual(status, .usage)
      let text = errors.withLock { $0 }
      for word in words { XCTAssertTrue(text.contains(word), text) }
    }
  }

  func testTheDiskIsMeasuredForEachOfItsTargets() async throws {
    let lines = Lock<[String]>([])
    let console = Console(
      print: { text in lines.withLock { $0 += text.components(separatedBy: "\n") } },
      complain: { _ in }, isColored: false)
    let status = await StrataTool.run(
      ["bench", "--quick", "--rounds", "1", "--group", "disk"], on: console)
    XCTAssertEqual(status, .success)
    let text = lines.withLock { $0 }
    XCTAssertEqual(text.filter { $0.count > 100 || $0.contains("…") }, [])
    for title in Benchmark.disk.map(\.title) {
      XCTAssertTrue(text.contains("disk: \(title)"), title)
    }
    for row in [
      "999 of 1,000", "set, worst", "hit ratio", "bytes written per byte set",
      "from the tables", "behind the LRU, mean",
    ] {
      XCTAssertTrue(text.contains { $0.hasPrefix("  " + row) }, row)
    }
  }

  func testPercentilesAreTheDurationsThatAFractionDoesNotExceed() {
    var times = OperationTimes()
    XCTAssertTrue(times.percentiles([0.5])[0].isNaN)
    for time in (1...1_000).shuffled() { times.add(Double(time)) }
    XCTAssertEqual(times.percentiles([0.001, 0.5, 0.99, 0.999, 1]), [1, 500, 990, 999, 1_000])
    XCTAssertEqual([times.mean, times.worst, Double(times.count)], [500.5, 1_000, 1_000])
  }

  func testAnExactLRUDropsTheLeastRecentlyUsed() {
    var lru = WeighedLRU(capacity: 10, keys: 4)
    lru.set(0, weight: 5)
    lru.set(1, weight: 5)
    XCTAssertTrue(lru.get(0))
    lru.set(2, weight: 5)
    XCTAssertEqual((0..<4).map { lru.get($0) }, [true, false, true, false])
    lru.remove(0)
    lru.set(3, weight: 5)
    XCTAssertEqual((0..<4).map { lru.get($0) }, [false, false, true, true])
    lru.set(3, weight: 10)
    XCTAssertEqual((0..<4).map { lru.get($0) }, [false, false, false, true])
  }

  func testZipfsLawIsFollowed() {
    var law = Zipf(100, theta: 1, seed: 1)
    var counts = Array(repeating: 0.0, count: 100)
    for _ in 0..<100_000 { counts[law.next()] += 1 }
    XCTAssertEqual(counts[0] / counts[1], 2, accuracy: 0.1)
    XCTAssertEqual(counts[0] / counts[9], 10, accuracy: 1.5)
    XCTAssertGreaterThan(counts[99], 100)
  }

  func testEveryGroupHasItsOwnContests() {
    XCTAssertEqual(Set(Benchmark.all.map(\.group)), Set(Group.allCases))
    let titles = Benchmark.all.map { "\($0.group) \($0.title)" }
    XCTAssertEqual(Set(titles).count, titles.count)
  }

  func testCasesAreMeasuredInAlternationAndComparedWithTheFirst() async throws {
    let order = Lock<[String]>([])
    let subjects = ["a", "b"].map { name in
      BenchmarkCase(name: name, targets: [.ratio(must: .infinity, aim: 0)], limit: 1) { count in
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
    let lines = Lock<[String]>([])
    let console = Console(
      print: { text in lines.withLock { $0 += text.components(separatedBy: "\n") } },
      complain: { _ in }, isColored: false)
    let status = await StrataTool.run(
      ["bench", "--quick", "--rounds", "1", "--group", "memory,pooled,bytes", "--json", json]
        + ["--svg", svg], on: console)
    XCTAssertEqual(status, .success)
    let text = lines.withLock { $0 }
    XCTAssertEqual(text.filter { $0.count > 100 }, [])
    for title in Benchmark.memory.map(\.title) { XCTAssertTrue(text.contains("memory: \(title)")) }
    let object = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: json)))
    let rows = try XCTUnwrap((object as? [String: Any])?["rows"] as? [[String: Any]])
    XCTAssertEqual(rows.count, 41 + 6 + 3)
    try assertWellFormed(String(contentsOfFile: svg, encoding: .utf8))
  }
}

import XCTest

@testable import StrataExplain
@testable import strata_tool

final class SimulationTests: XCTestCase {
  private func run(
    _ pipeline: String, _ requests: [Int], sizes: [Int]? = nil, every seconds: Double
  ) throws -> Simulation.Result {
    let keys = (0...(requests.max() ?? 0)).map { "key \($0)" }
    let trace = RequestTrace(name: "test", keys: keys, requests: requests, sizes: sizes)
    var simulation = Simulation(try SimulatedPipeline(pipeline), trace)
    return simulation.run(trace, at: { Double($0) * seconds }) { _ in }
  }

  func testEachGetTakesTheLatenciesOfTheLevelsThatItReads() throws {
    let result = try run("a(9) + b(9, 5ms) + c(80ms)", [0, 0, 1, 1], every: 1)
    XCTAssertEqual(result.hitRatio, 0.5)
    XCTAssertEqual(result.loads, 2)
    XCTAssertEqual(result.latency, 0.085 / 2, accuracy: 1e-9)
  }

  func testALevelHoldsNoMoreThanItsCapacity() throws {
    let loop = (0..<100).flatMap { _ in Array(0..<20) }
    XCTAssertEqual(try run("a(20) + b(1ms)", loop, every: 1).loads, 20)
    XCTAssertGreaterThan(try run("a(10) + b(1ms)", loop, every: 1).loads, 500)
    let sizes = Array(repeating: 10, count: 20)
    XCTAssertEqual(try run("a(200) + b(1ms)", loop, sizes: sizes, every: 1).loads, 20)
    XCTAssertGreaterThan(try run("a(100) + b(1ms)", loop, sizes: sizes, every: 1).loads, 500)
  }

  func testOverlappingGetsOfAKeyShareOneLoad() throws {
    let result = try run("a(9) + b(9) + c(1s)", Array(repeating: 0, count: 10), every: 0.05)
    XCTAssertEqual(result.loads, 1)
    XCTAssertEqual(
      result.latency, (1 + 0.95 + 0.9 + 0.85 + 0.8 + 0.75 + 0.7 + 0.65 + 0.6 + 0.55) / 10,
      accuracy: 1e-6)
  }

  func testLoadsOfMinutesAreNotCutShort() throws {
    XCTAssertEqual(
      try run("a(9) + b(9, 60s) + c(600s)", [0], every: 1).latency, 660, accuracy: 1e-6)
  }

  func testTimesAndKeysAreReadFromLines() throws {
    let lines = Array("10 a\n10.5 b c\n12 a\n".utf8)
    let timed = try TimedTrace(timesIn: RequestTrace(name: "t", lines, file: "t"))
    XCTAssertEqual(timed.times, [0, 0.5, 2])
    XCTAssertEqual(timed.trace.keys, ["a", "b c"])
    XCTAssertEqual(timed.trace.requests, [0, 1, 0])
    for text in ["a b\n", "2 a\n1 b\n", "1\n", "nan a\n", "1 \n", "inf a\n"] {
      let trace = try RequestTrace(name: "t", Array(text.utf8), file: "t")
      XCTAssertThrowsError(try TimedTrace(timesIn: trace), text)
    }
  }

  func testThePageHasACurveForEachCapacityAndFigure() throws {
    let options = try SimulateOptions(["@loop", "--pipeline", "a(48) + b(72, 1ms) + c(50ms)"])
    let trace = RequestTrace(
      name: "<i>1", keys: (0..<168).map { "\($0)" }, requests: (0..<336).map { $0 % 168 })
    var parts: [Double] = []
    let simulate = Simulate(options: options, console: .standard)
    let (page, lines) = try simulate.page(TimedTrace(trace, perSecond: 100)) { parts.append($0) }
    XCTAssertEqual(page.curves.count, 6)
    XCTAssertEqual(page.curves[0].points.map(\.capacity).first, 6)
    XCTAssertEqual(page.curves[0].points.last?.figure ?? 0, 0.5, accuracy: 1e-9)
    XCTAssertEqual(lines.filter { $0.contains("knee") }.count, 2)
    XCTAssertEqual(parts, parts.sorted())
    XCTAssertLessThanOrEqual(parts.last ?? 0, 1)
    XCTAssertTrue(page.html.contains("&lt;i&gt;1"))
    XCTAssertFalse(page.html.contains("<i>1"))
  }

  func testTheOptionsNeedATraceAndAPipeline() {
    for arguments in [
      [], ["@zipf"], ["--pipeline", "a(1) + b(0)"], ["a", "b", "--pipeline", "a(1) + b(0)"],
      ["@zipf", "--pipeline", "a(1) + b(0)", "--rate", "0"], ["@zipf", "--pipeline", "a"],
    ] {
      XCTAssertThrowsError(try SimulateOptions(arguments), "\(arguments)")
    }
  }
}

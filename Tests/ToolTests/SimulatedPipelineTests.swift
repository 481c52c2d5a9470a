import XCTest

@testable import strata_tool

final class SimulatedPipelineTests: XCTestCase {
  func testLevelsHaveCapacitiesAndLatencies() throws {
    let pipeline = try SimulatedPipeline("memory(1000) + disk( 20000 , 5ms )+origin(1.5s)")
    XCTAssertEqual(
      pipeline.levels,
      [
        .init(name: "memory", capacity: 1000, latency: .zero),
        .init(name: "disk", capacity: 20_000, latency: .milliseconds(5)),
        .init(name: "origin", latency: .milliseconds(1500)),
      ])
  }

  func testOtherTextIsRefused() {
    for text in [
      "", "+", "memory(1)", "memory + origin(1ms)", "memory(0) + origin(1ms)", "a(1) + a(1ms)",
      "a(1, 1h) + b(1ms)", "a(1) + b(-1ms)", "a(1) + b(nans)", "<b>(1) + b(1ms)", "a(1)) + b(0)",
      "a(1, 2, 3) + b(0)", "a(99999999999999999999) + b(0)", "a(1) + b(9999s)", "a(1) + b(1e400s)",
      Array(repeating: "a(1)", count: 2_000).joined(separator: "+"),
    ] {
      XCTAssertThrowsError(try SimulatedPipeline(text), text)
    }
  }
}

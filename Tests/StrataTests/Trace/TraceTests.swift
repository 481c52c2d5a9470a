import StrataLaws
import XCTest

@testable import Strata

/// How a trace looks.
final class TraceTests: XCTestCase {
  private func trace(_ name: String = "network") throws -> Trace {
    let (time, clock) = TimeSource.manual()
    let recorder = Recorder(on: time)
    let disk = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let network = ScriptedLevel(1, LevelScript(contents: [7: 70], hasSlowGets: true))
    let cache =
      (Cache<Int, Int>.memory().named("memory")
      + (disk.cache.named("disk") + network.cache.fetcher.named(name)).pooled())
      .named("pages").observed(by: recorder)
    let promise = recorder.trace { cache.get(7) }
    clock.advance(by: .milliseconds(10))
    disk.settle(0)
    clock.advance(by: .milliseconds(30))
    network.settle(0)
    return try XCTUnwrap(promise.outcome?.value?.trace)
  }

  func testTheTextIsATableWithBarsAndEndsWithWhy() throws {
    let full = String(repeating: "█", count: 40)
    let (short, long) = (full.prefix(10), full.prefix(30))
    let end = String(repeating: " ", count: 39) + "▏"
    XCTAssertEqual(
      "\(try trace())",
      """
      pages      had it       40.0 ms  \(full)
        memory   had nothing   0.0 ns  ▏
        disk     had nothing  10.0 ms  \(short)
        network  had it       30.0 ms            \(long)
        disk     filled        0.0 ns  \(end)
        memory   filled        0.0 ns  \(end)
      network had it, since memory had nothing and disk had nothing; it was written into disk and \
      memory
      """)
  }

  func testTheDrawingIsXMLAndShowsEveryStep() throws {
    let texts = try svgTexts(try trace("a<b>&\"c\"").svg)
    for text in [
      "one get, 40.0 ms", "pages", "memory", "disk", "a<b>&\"c\"", "had nothing", "had it",
      "filled", "30.0 ms",
    ] {
      XCTAssert(texts.contains(text), "\(text) in \(texts)")
    }
  }

  func testLongNamesAreCut() throws {
    let trace = try trace(String(repeating: "long\n", count: 100))
    for text in try svgTexts(trace.svg).dropFirst(2) {
      XCTAssertLessThanOrEqual(text.count, 90, text)
    }
    XCTAssertEqual("\(trace)".split(separator: "\n").count, 7)
  }

  func testATraceInNoTimeHasBars() throws {
    let recorder = Recorder(on: TimeSource.manual().time)
    let cache = Cache<Int, Int>.memory().named("memory").observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual("\(trace)", "memory  had nothing  0.0 ns  ▏\nmemory had nothing")
    XCTAssertNoThrow(try svgTexts(trace.svg))
  }
}

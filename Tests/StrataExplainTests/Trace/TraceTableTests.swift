import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class TraceTableTests: TraceCase {
  func testTheTextIsATableWithBarsAndEndsWithWhy() throws {
    let full = String(repeating: "█", count: 40)
    let (short, long) = (full.prefix(10), full.prefix(30))
    let end = String(repeating: " ", count: 39) + "▏"
    XCTAssertEqual(
      try trace().table,
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

  func testABackFillOfALevelWithoutANameIsShown() throws {
    let recorder = Recorder(clock: TimeSource.manual().clock)
    let cache = (Cache<Int, Int>.memory() + Fetcher(offMainThread: false) { $0 }).named("pages")
      .observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.table,
      """
      pages    had it  0.0 ns  ▏
        pages  filled  0.0 ns  ▏
      pages had it
      """)
  }

  func testATraceInNoTimeHasBars() throws {
    let recorder = Recorder(clock: TimeSource.manual().clock)
    let cache = Cache<Int, Int>.memory().named("memory").observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(trace.table, "memory  had nothing  0.0 ns  ▏\nmemory had nothing")
    XCTAssertNoThrow(try svgTexts(trace.svg))
  }
}

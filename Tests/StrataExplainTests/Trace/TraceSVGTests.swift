import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class TraceSVGTests: TraceCase {
  func testTheDrawingIsXMLAndShowsEveryStep() throws {
    let texts = try svgTexts(try trace("a<b>&\"c\"").svg)
    for text in [
      "one get, 40.0 ms", "pages", "memory", "disk", "a<b>&\"c\"", "had nothing", "had it",
      "filled", "30.0 ms",
    ] {
      XCTAssert(texts.contains(text), "\(text) in \(texts)")
    }
  }

  /// Each bar and text of a drawing with the place at which a reader sees it.
  func testEachPartOfADrawingHasItsPlace() throws {
    struct Lost: Error, CustomStringConvertible { let description = "lost" }
    struct Gone: Error, CustomStringConvertible { let description = "it is gone" }
    let (time, clock) = TimeSource.manual()
    let recorder = Recorder(clock: time)
    let slow = ScriptedLevel(0, LevelScript(contents: [7: 70], hasSlowGets: true))
    let cache =
      (Cache<Int, Int>(get: { _ in throw Lost() }, set: { _, _ in }).named(
        "a level with a long name")
      + Cache<Int, Int>(get: { _ in throw Gone() }, set: { _, _ in throw Lost() }).named("gone")
      + slow.cache.fetcher.named("network").pooled())
      .named("pages").observed(by: recorder)
    let first = cache.get(7)
    clock.advance(by: .milliseconds(10))
    let promise = recorder.trace { cache.get(7) }
    clock.advance(by: .milliseconds(30))
    slow.settle(0)
    XCTAssertEqual(first.outcome?.value, 70)
    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    XCTAssertEqual(
      try svgShapes(trace.svg),
      """
      svg 600 330
      rect 100% 100% ground
      text 16 28 title: one get, 30.0 ms
      text 16 59: pages
      text 158 59 quiet: had it
      text 312 59 quiet end: 30.0 ms
      rect 320 46 264 18 2 track
      rect 320 46 264 18 2 hit
      text 28 85: a level with a …
      text 158 85 quiet: failed (lost)
      text 312 85 quiet end: 0.0 ns
      rect 320 72 264 18 2 track
      rect 320 72 2 18 2 failed
      text 28 111: gone
      text 158 111 quiet: failed
      text 312 111 quiet end: 0.0 ns
      rect 320 98 264 18 2 track
      rect 320 98 2 18 2 failed
      text 28 137: pages
      text 158 137 quiet: joined
      text 312 137 quiet end: 30.0 ms
      rect 320 124 264 18 2 track
      rect 320 124 264 18 2 waited
      text 28 163: a level with a …
      text 158 163 quiet: filled
      text 312 163 quiet end: 0.0 ns
      rect 320 150 264 18 2 track
      rect 581.4 150 2 18 2 filled
      text 28 189: pages
      text 158 189 quiet: failed (lost)
      text 312 189 quiet end: 0.0 ns
      rect 320 176 264 18 2 track
      rect 581.4 176 2 18 2 failed
      text 28 215: gone
      text 158 215 quiet: failed (lost)
      text 312 215 quiet end: 0.0 ns
      rect 320 202 264 18 2 track
      rect 581.4 202 2 18 2 failed
      text 16 240 word: it joined a load in flight and waited 30.0 ms, since a level with a long name
      text 16 258 word: failed (lost) and gone failed (it is gone); it was written into a level with a
      text 16 276 word: long name; gone failed (lost)
      text 16 294 word: other gets ran through these stages at the same time, so some steps may belong to
      text 16 312 word: other gets
      """)
  }

  func testLongNamesAreCut() throws {
    let trace = try trace(String(repeating: "long\n", count: 100))
    for text in try svgTexts(trace.svg).dropFirst(2) {
      XCTAssertLessThanOrEqual(text.count, 90, text)
    }
    XCTAssertEqual(trace.table.split(separator: "\n").count, 7)
  }
}

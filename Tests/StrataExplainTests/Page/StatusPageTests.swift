import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class StatusPageTests: XCTestCase {
  func testThePageShowsThePipelineItsFiguresAndTheAdvice() throws {
    let sample = PageSample()
    let report = sample.report(after: [1, 2, 2, 2, 2000])
    let page = try PageReader(StatusPage(of: sample.cache.plan, [report], title: "Pages").html)
    XCTAssertEqual(page.texts("h1"), ["Pages"])
    XCTAssertEqual(page.texts("h2"), ["Pipeline", "Sizes and limits", "Stages", "Advice"])
    XCTAssertEqual(page.all("div", "level").count, 3)
    XCTAssertEqual(page.all("div", "pool").count, 1)
    let shares = page.texts("p", "figures").map { $0.prefix { $0 != "·" } }
    XCTAssertEqual(shares, ["50 % of answers ", "25 % of answers ", "25 % of answers "])
    XCTAssert(page.texts("div", "tile").contains { $0.hasPrefix("hit ratio 75 %") })
    XCTAssert(page.texts("div", "tile").contains { $0.hasPrefix("origin loads 2") })
    XCTAssert(page.texts("div", "bad").contains { $0.hasPrefix("failures") })
    XCTAssertEqual(page.texts("tr").count, 1 + report.stages.count)
    XCTAssertEqual(
      Set(page.texts("th").suffix(report.stages.count)),
      ["memory", "disk", "network", "whole pipeline"])
    XCTAssert(page.texts("dd").contains("5 of 10 (50 %)"))
  }

  func testASeriesShowsFiguresOverTime() throws {
    let sample = PageSample()
    let reports = (0..<5).map { round in
      sample.report(after: Array(repeating: 1, count: 10) + [round + 10])
    }
    let page = try PageReader(StatusPage(of: sample.cache.plan, reports).html)
    XCTAssert(page.texts("h2").contains("Over time"))
    XCTAssertEqual(page.all("figure").count, 2)
    XCTAssertEqual(page.all("polyline", "network").count, 1)
    XCTAssert(page.texts("p", "quiet")[0].contains(", for "))
  }

  func testThePageNeedsNothingFromElsewhereAndNoScript() throws {
    let sample = PageSample()
    let reports = (0..<3).map { sample.report(after: [$0]) }
    let html = StatusPage(of: sample.cache.plan, reports).html
    for part in ["<script", "http://", "https://", "src=", "url(", "@import", "href="] {
      XCTAssertFalse(html.contains(part), part)
    }
    for part in ["default-src 'none'", "prefers-color-scheme: dark", "width=device-width"] {
      XCTAssert(html.contains(part), part)
    }
  }

  func testEveryTextIsEscaped() throws {
    let evil = "</title></style><script>alert(1)</script>\"'&\u{202E}\u{0}\n<img onerror=x>"
    let sample = PageSample([evil + "1", evil + "2", evil + "3"])
    var report = sample.report(after: [1, 2, 2000])
    report.gauges = [.init(stage: evil, name: evil, value: 1, limit: 2)]
    for index in report.stages.indices { report.stages[index].isCircuitOpen = true }
    let plan = CachePlan.verb(sample.cache.plan, CachePlan.Kind(evil), [nil: .text(evil)])
    var page = StatusPage(of: plan, [report, report], title: evil)
    page.curves = [.init(title: evil, unit: .count, points: [(1, 1), (2, 8), (9, 9)])]
    let names = try PageReader(page.html).elements.map(\.name)
    XCTAssertFalse(names.contains("script"))
    XCTAssertFalse(names.contains("img"))
    XCTAssertFalse(page.html.contains("<script"))
    XCTAssertEqual(names.filter { $0 == "title" }.count, 2)
  }

  func testAPageOfNothingIsAPage() throws {
    let plan = Cache<Int, Int>.empty.plan
    XCTAssertNoThrow(try PageReader(StatusPage(of: plan, []).html))
    let report = Telemetry(of: CacheStatistics()).report()
    XCTAssertNoThrow(try PageReader(StatusPage(of: plan, [report, report]).html))
  }

  func testNumbersThatMakeNoSenseAreAccepted() throws {
    let sample = PageSample()
    var reports = (0..<4).map { sample.report(after: [$0]) }
    for (index, odd) in [-Double.infinity, .nan, 1e300, -1e300].enumerated() {
      reports[index].time = odd
      reports[index].window = odd
      reports[index].gauges = [.init(stage: "a", name: "b", value: odd, limit: odd)]
      for stage in reports[index].stages.indices {
        reports[index].stages[stage].recentHitRatio = odd
        reports[index].stages[stage].hits = index.isMultiple(of: 2) ? .max : .min
        reports[index].stages[stage].misses = .max
        reports[index].stages[stage].loads = .min
        reports[index].stages[stage].latency.counts = [.max, .max, -1]
        reports[index].stages[stage].latency.bounds = [odd]
      }
    }
    var page = StatusPage(of: sample.cache.plan, reports)
    page.curves = [.init(title: "a", unit: .seconds, points: [(.nan, 1), (1e300, -1e300), (0, 0)])]
    page.reloadInterval = .seconds(Int64.max)
    XCTAssertNoThrow(try PageReader(page.html))
  }

  func testALongPlanMakesAShortPage() throws {
    let plan = (0..<2_000).reduce(CachePlan.pages) { plan, n in
      .verb(plan, CachePlan.Kind("limited\(n)"))
    }
    let html = StatusPage(of: plan, []).html
    XCTAssertNoThrow(try PageReader(html))
    XCTAssertLessThan(html.utf8.count, 100_000)
  }

  func testABrowserReloadsThePageAfterWholeSeconds() {
    var page = StatusPage(of: Cache<Int, Int>.empty.plan, [])
    XCTAssertFalse(page.html.contains("refresh"))
    page.reloadInterval = .milliseconds(100)
    XCTAssert(page.html.contains("http-equiv=\"refresh\" content=\"1\""))
  }
}

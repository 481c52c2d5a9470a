import Foundation
import Strata
import StrataExplain
import StrataHTTP
import XCTest

/// Tests that the advice has no objection to the pipelines of the article “Which pipeline?”.
final class WhichPipelineTests: StatementCase {
  private struct Article: Codable, Sendable {
    var title = ""
  }

  func testAnAppThatLoadsData() {
    let stored: Cache<URL, Stamped<Article>> =
      .memory(capacity: 500)
      + \.absoluteString <^> .disk("articles") <*> .stamped(.json())
    let life = Freshness(
      for: .seconds(300), staleWhileRevalidate: .seconds(3600),
      staleIfError: .seconds(86_400))
    let articles = stored.refreshing(
      life, from: (.network(deadline: .seconds(10)) <*> .json()).retrying(1))
    XCTAssertEqual(articles.plan.advice.map(\.description), [])
  }

  func testImages() {
    let data = CachePresets.data(
      "images", memoryCapacity: 64 << 20, diskCapacity: 500_000_000)
    XCTAssertEqual(data.plan.advice.map(\.description), [])
  }

  func testAService() {
    let loader: Fetcher<String, Article> =
      Fetcher { key in Article(title: key) }
      .timingOut(after: .seconds(2))
      .breakingCircuit(after: .rate(0.5), retryAfter: .seconds(10))
    let shared: Cache<String, Data> = .disk("instead of Redis")
    let prices = .memory(capacity: 10_000) + (shared <*> .json() + loader).pooled()
    XCTAssertEqual(prices.plan.advice.map(\.description), [])
  }

  func testACommandLineTool() {
    let pages: Cache<URL, String> =
      (\.absoluteString <^> .disk("my-tool") <*> .utf8
      + .network(deadline: .seconds(20)) <*> .utf8).pooled()
    XCTAssertEqual(pages.plan.advice.map(\.description), [])
  }

  func testTests() throws {
    let (clock, time) = TimeSource.manual()
    let level: Cache<String, Stamped<Data>> = .memory(clock: clock)
    let page = Data("page".utf8)
    let tested = level.expiring(after: .seconds(60)) + .constant(page)
    XCTAssertEqual(try ended(tested.get("a")).get(), page)
    time.advance(by: .seconds(61))
    let stored = level.expiring(after: .seconds(60))
    XCTAssertTrue(try ended(stored.get("a")).error?.isMiss == true)
    let down: Cache<String, Data> =
      .dictionary() + .failing(CacheError.timedOut())
    XCTAssertEqual(try ended(down.get("a")).error as? CacheError, .timedOut())
  }
}

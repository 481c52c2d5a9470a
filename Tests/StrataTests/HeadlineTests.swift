import Foundation
import Strata
import XCTest

/// Runs the main example of the documentation.
final class HeadlineTests: XCTestCase {
  private struct Article: Codable, Equatable, Sendable { var title: String }

  private var directory = URL(fileURLWithPath: "/")

  override func setUp() {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)", isDirectory: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(at: directory) }

  func testThePipelineCompilesAndPrintsAsWritten() {
    let articles: Cache<URL, Article> =
      (.memory() + \.absoluteString <^> .disk("articles") <*> .stamped(.json()))
      .expiring(after: .seconds(3600)) + (.network() <*> .json()).pooled()
    XCTAssertEqual(
      articles.plan.description,
      "(memory(1000) + keys <^> disk(100 MB) <*> stamped(json)).expiring(after: 60 min)"
        + " + (network <*> json).pooled()")
  }

  func testEachHitFillsTheLevelsAbove() async throws {
    let origin = try LoopbackOrigin { _ in .respond(body: #"{"title":"Layers"}"#) }
    defer { origin.stop() }
    let (clock, time) = TimeSource.manual(startingAt: TimeSource.system.now())
    let memory: Cache<URL, Stamped<Article>> = .memory(clock: clock)
    let disk: Cache<String, Stamped<Data>> = .disk("headline", in: directory, clock: clock)
    let articles: Cache<URL, Article> =
      (memory + \.absoluteString <^> disk <*> .stamped(.json()))
      .expiring(after: .seconds(3600)) + (.network() <*> .json()).pooled()
    let url = origin.url("/article")

    let article = try await articles.value(for: url)
    let (inMemory, onDisk) = (
      try await memory.findValue(for: url), try await disk.findValue(for: url.absoluteString)
    )
    memory.memoryWarning()
    let again = try await articles.value(for: url)

    XCTAssertEqual(article, Article(title: "Layers"))
    XCTAssertEqual(inMemory?.value, article)
    XCTAssertEqual(onDisk?.value, Data(#"{"title":"Layers"}"#.utf8))
    XCTAssertEqual(again, article)
    XCTAssertEqual(origin.requests.count, 1)
    time.advance(by: .seconds(3600))
    _ = try await articles.value(for: url)
    XCTAssertEqual(origin.requests.count, 2)
  }
}

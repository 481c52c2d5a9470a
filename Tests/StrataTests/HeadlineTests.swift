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
      .memory()
      + (\.absoluteString <^> .disk("articles") <*> .json() + .network() <*> .json()).pooled()
    XCTAssertEqual(
      articles.plan.description,
      "memory(1000) + (keys <^> disk(100 MB) <*> json + network <*> json).pooled()")
  }

  func testEachHitFillsTheLevelsAbove() async throws {
    let origin = try LoopbackOrigin { _ in .respond(body: #"{"title":"Layers"}"#) }
    defer { origin.stop() }
    let memory: Cache<URL, Article> = .memory()
    let disk = Cache.disk("headline", in: directory)
    let articles =
      memory + (\.absoluteString <^> disk <*> .json() + .network() <*> .json()).pooled()
    let url = origin.url("/article")

    let article = try await articles.value(for: url)
    let (inMemory, onDisk) = (try await memory.find(url), try await disk.find(url.absoluteString))
    memory.memoryWarning()
    let again = try await articles.value(for: url)

    XCTAssertEqual(article, Article(title: "Layers"))
    XCTAssertEqual(inMemory, article)
    XCTAssertEqual(onDisk, Data(#"{"title":"Layers"}"#.utf8))
    XCTAssertEqual(again, article)
    XCTAssertEqual(origin.requests.count, 1)
  }
}

import Foundation
import XCTest

@testable import Strata

final class CachesTests: XCTestCase {
  private struct Article: Codable, Equatable, Sendable { var title: String }

  private var directory = URL(fileURLWithPath: "/")

  override func setUp() {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)", isDirectory: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(at: directory) }

  private let body = #"{"title": "Layers", "more": 1}"#

  private func origin() throws -> LoopbackOrigin {
    try LoopbackOrigin { [body] _ in .respond(body: body) }
  }

  func testWhatIsFoundIsKeptInMemoryAndOnDiskAsItCame() async throws {
    let origin = try origin()
    defer { origin.stop() }
    let (url, disk) = (origin.url("/a"), Cache.disk("a", in: directory))
    let data = Caches.data("a", in: directory)
    let first = try await data.value(for: url)
    let stored = try await disk.find(url.absoluteString)
    XCTAssertEqual([first, stored], [Data(body.utf8), Data(body.utf8)])
    disk.removeAll()
    let again = try await data.value(for: url)
    XCTAssertEqual(again, first)
    XCTAssertEqual(origin.requests.count, 1)
  }

  func testEachCallIsANewCacheOverOneStore() async throws {  // T54
    let origin = try origin()
    defer { origin.stop() }
    let url = origin.url("/a")
    let (one, two) = (
      Caches.json(Article.self, "a", in: directory), Caches.json(Article.self, "a", in: directory)
    )
    let article = try await one.value(for: url)
    let bytes = try await Caches.data("a", in: directory).value(for: url)
    let loose = try await Caches.json("a", in: directory).value(for: url)
    XCTAssertEqual(article, Article(title: "Layers"))
    XCTAssertEqual(bytes, Data(body.utf8))
    XCTAssertEqual(loose, ["title": "Layers", "more": 1])
    XCTAssertEqual(origin.requests.count, 1)
    // The memory is each one's own: what is removed through one is still in that of the other.
    _ = try await two.value(for: url)
    try await one.removeValue(for: url).value
    XCTAssertNotNil(two.get(url).outcome?.value)
  }

  func testTheSharedOnesAreAlwaysTheSame() {  // T54
    XCTAssertTrue(Caches.sharedData.spine === Caches.sharedData.spine)
    XCTAssertTrue(Caches.sharedJSON.spine === Caches.sharedJSON.spine)
    XCTAssertFalse(Caches.data().spine === Caches.data().spine)
    XCTAssertEqual(Caches.sharedData.plan, Caches.data().plan)
    XCTAssertEqual(
      Caches.json(Article.self, offline: { _ in true }).plan.description,
      "keys <^> (memory(1000) + (keys <^> disk(100 MB) <*> json + network.skipping() <*> json)"
        + ".pooled() <*> value)")
  }

  func testAValueIsDecodedOnceAndKeptDecoded() async throws {
    let decodings = Journal<String>()
    let codec = Codec<Data, String>(
      decode: { data throws -> String in
        decodings.note("decoded")
        return String(decoding: data, as: UTF8.self)
      },
      encode: { text throws -> Data in Data(text.utf8) })
    let disk: Cache<String, Data> = .dictionary()
    let cache = Caches.decoded(
      codec, above: disk, Fetcher { Data($0.path.utf8) }, memory: .memory())
    let url = URL(string: "https://example.com/a")!
    for _ in 0..<3 { XCTAssertEqual(cache.get(url).outcome?.value, "/a") }
    XCTAssertEqual(decodings.count, 1)
    cache.memoryWarning()
    XCTAssertEqual(cache.get(url).outcome?.value, "/a")
    XCTAssertEqual(decodings.count, 2)
    cache.set("set", for: url)
    XCTAssertEqual(cache.get(url).outcome?.value, "set")
    XCTAssertEqual(disk.get(url.absoluteString).outcome?.value, Data("set".utf8))
    XCTAssertEqual(decodings.count, 2)
  }

  func testARecordThatDoesNotDecodeIsReplacedByWhatTheNetworkAnswers() {  // T45
    let url = URL(string: "https://example.com/a")!
    let disk: Cache<String, Data> = .dictionary([url.absoluteString: Data("old".utf8)])
    let cache: Cache<URL, Article> = Caches.decoded(
      .json(), above: disk, Fetcher { _ in Data(#"{"title":"new"}"#.utf8) }, memory: .memory())
    XCTAssertEqual(cache.get(url).outcome?.value, Article(title: "new"))
    XCTAssertEqual(disk.get(url.absoluteString).outcome?.value, Data(#"{"title":"new"}"#.utf8))
  }

  func testOfflineTheNetworkIsNotAskedAndWhatIsStoredIsFound() async throws {
    let origin = try origin()
    defer { origin.stop() }
    let isOffline = Lock(false)
    let make = { [directory] in
      Caches.data("a", in: directory, offline: { _ in isOffline.withLock { $0 } })
    }
    let (known, unknown) = (origin.url("/known"), origin.url("/unknown"))
    _ = try await make().value(for: known)
    isOffline.withLock { $0 = true }
    let cache = make()
    let (found, missing) = (try await cache.find(known), try await cache.find(unknown))
    XCTAssertEqual(found, Data(body.utf8))
    XCTAssertNil(missing)
    XCTAssertEqual(
      cache.get(unknown).outcome?.error as? CacheError, .conditionNotSatisfied)
    XCTAssertEqual(origin.requests.map(\.path), ["/known"])
  }

  func testARelativeURLIsKnownByItsAbsoluteForm() {
    let disk: Cache<String, Data> = .dictionary()
    let cache = Caches.decoded(
      .utf8, above: disk, Fetcher { _ in throw CacheError.notFound }, memory: .memory())
    let base = URL(string: "https://example.com/")
    let (relative, absolute) = (
      URL(string: "a", relativeTo: base)!, URL(string: "https://example.com/a")!
    )
    cache.set("one", for: relative)
    XCTAssertEqual(cache.get(absolute).outcome?.value, "one")
    cache.removeValue(for: absolute)
    XCTAssertNil(cache.get(relative).outcome?.value)
  }
}

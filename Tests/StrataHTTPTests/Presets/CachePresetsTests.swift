import Foundation
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class CachePresetsTests: XCTestCase {
  private struct Article: Codable, Equatable, Sendable { var title: String }

  private static let body = #"{"title": "Layers", "more": 1}"#
  private let url = URL(string: "http://example.com/a")!
  private var directory = URL(fileURLWithPath: "/")

  override func setUp() {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-\(UUID().uuidString)", isDirectory: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(at: directory) }

  private func transport(_ control: String, _ body: String = body) -> FakeTransport {
    FakeTransport { request in
      let fields: HeaderFields = ["Cache-Control": control, "ETag": "\"1\""]
      return request.fields["If-None-Match"] == "\"1\"" ? (304, fields, "") : (200, fields, body)
    }
  }

  private func data(
    _ transport: FakeTransport, offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, Data> {
    CachePresets.data("a", in: directory, session: NetworkSession(transport), offline: offline)
  }

  /// Returns the contents of the disk level's files as one string.
  private func stored() throws -> String {
    let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String }
    return (names ?? []).compactMap { name in
      try? Data(contentsOf: directory.appendingPathComponent(name))
    }.map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  func testAFreshResponseIsKeptInMemoryAndOnDisk() async throws {
    let origin = transport("max-age=60")
    let cache = data(origin)
    for cache in [cache, cache, data(origin)] {
      let value = try await cache.value(for: url)
      XCTAssertEqual(value, Data(Self.body.utf8))
    }
    XCTAssertEqual(origin.requests.count, 1)
    XCTAssertTrue(try stored().contains("Layers"))
  }

  func testEachGetValidatesAResponseThatMustNotBeReused() async throws {
    for control in ["no-cache", "max-age=0", "must-revalidate"] {
      let origin = transport(control)
      let cache = data(origin)
      try await cache.removeAll()
      for count in 1...3 {
        let value = try await cache.value(for: url)
        XCTAssertEqual(value, Data(Self.body.utf8))
        XCTAssertEqual(origin.requests.count, count, control)
      }
      XCTAssertEqual(origin.requests.map { $0.fields["If-None-Match"] }, [nil, "\"1\"", "\"1\""])
    }
  }

  func testNoStoreReachesNoDisk() async throws {
    let origin = transport("no-store")
    for count in 1...2 {
      let value = try await data(origin).value(for: url)
      XCTAssertEqual(value, Data(Self.body.utf8))
      XCTAssertEqual(origin.requests.count, count)
    }
    XCTAssertFalse(try stored().contains("Layers"))
  }

  func testADecodedValueExpiresWithItsResponse() throws {
    let scene = HTTPScene("max-age=60")
    let cache = CachePresets.pipeline(.utf8, .memory(clock: scene.origin.time), scene.cache)
    for (pause, count) in [(0.0, 1), (59, 1), (1, 2), (59, 2), (1, 3)] {
      scene.wait(pause)
      XCTAssertEqual(try cache.get(url).wait(), "body")
      XCTAssertEqual(scene.origin.count, count)
    }
  }

  func testAStaleValueAnswersIfTheOriginIsUnreachable() async throws {
    let origin = transport("max-age=0")
    _ = try await data(origin).value(for: url)
    origin.replies { _ in nil }
    let value = try await data(origin).value(for: url)
    XCTAssertEqual(value, Data(Self.body.utf8))
  }

  func testEachCallIsANewCacheOverOneStore() async throws {  // T54
    let session = NetworkSession(transport("max-age=60"))
    func articles() -> Cache<URL, Article> {
      CachePresets.json(Article.self, "a", in: directory, session: session)
    }
    let (one, two) = (articles(), articles())
    let article = try await one.value(for: url)
    let loose = try await CachePresets.json("a", in: directory, session: session).value(for: url)
    XCTAssertEqual(article, Article(title: "Layers"))
    XCTAssertEqual(loose, ["title": "Layers", "more": 1])
    // Each cache has a separate memory level, so a removal in one cache doesn't affect the other
    // cache.
    _ = try await two.value(for: url)
    try await one.removeValue(for: url)
    XCTAssertNotNil(two.get(url).outcome?.value)
    XCTAssertEqual((session.transport as? FakeTransport)?.requests.count, 1)
  }

  func testTheSharedOnesAreAlwaysTheSame() {  // T54
    XCTAssertTrue(CachePresets.sharedData.metadata === CachePresets.sharedData.metadata)
    XCTAssertTrue(CachePresets.sharedJSON.metadata === CachePresets.sharedJSON.metadata)
    XCTAssertFalse(CachePresets.data().metadata === CachePresets.data().metadata)
    XCTAssertEqual(CachePresets.sharedData.plan, CachePresets.data().plan)
    XCTAssertEqual(CachePresets.sharedJSON.plan, CachePresets.json().plan)
    XCTAssertEqual(
      CachePresets.json([Int].self, offline: { _ in true }).plan.description,
      "keys <^> memory(1000).backed(byStamped: "
        + "(http(storedIn: disk(100 MB), from: network) <*> stamped(json)).recovering().pooled())")
  }

  func testTheMemoryHasTheDocumentedRoom() {
    for (plan, memory) in [
      (CachePresets.data().plan, "memory(64 MiB)"), (CachePresets.json().plan, "memory(1000)"),
      (CachePresets.json(Int.self).plan, "memory(1000)"),
    ] { XCTAssertTrue("\(plan)".contains(memory), "\(plan)") }
  }

  func testAValueIsDecodedOnceAndKeptDecoded() throws {
    let scene = HTTPScene("max-age=60")
    let decodings = Lock(0)
    let codec = Codec<Data, String>(
      decode: { data throws -> String in
        decodings.withLock { $0 += 1 }
        return String(decoding: data, as: UTF8.self)
      },
      encode: { text throws -> Data in Data(text.utf8) })
    let cache = CachePresets.pipeline(codec, .memory(clock: scene.origin.time), scene.cache)
    for _ in 0..<3 { XCTAssertEqual(try cache.get(url).wait(), "body") }
    XCTAssertEqual(decodings.withLock { $0 }, 1)
    cache.memoryWarning()
    XCTAssertEqual(try cache.get(url).wait(), "body")
    XCTAssertEqual(decodings.withLock { $0 }, 2)
    XCTAssertEqual(scene.origin.count, 1)
  }

  func testAResponseThatDoesNotDecodeIsReplacedByANewerOne() throws {  // T45
    let scene = HTTPScene()
    scene.origin.replies(["Cache-Control": "max-age=60", "ETag": "\"1\""], "old")
    try scene.get(url: url)
    let cache: Cache<URL, Article> = CachePresets.pipeline(
      .json(), .memory(clock: scene.origin.time), scene.cache)
    scene.origin.replies(["Cache-Control": "max-age=60", "ETag": "\"2\""], #"{"title":"new"}"#)
    for _ in 0..<2 { XCTAssertEqual(try cache.get(url).wait(), Article(title: "new")) }
    XCTAssertEqual(scene.origin.count, 2)
    XCTAssertEqual(
      scene.origin.last?.fields["Cache-Control"], "no-cache",
      "A cache between must not send the response again.")
  }

  func testAResponseThatNeverDecodesIsAFailure() throws {
    let scene = HTTPScene("max-age=60")
    let cache: Cache<URL, Article> = CachePresets.pipeline(
      .json(), .memory(clock: scene.origin.time), scene.cache)
    XCTAssertThrowsError(try cache.get(url).wait()) { XCTAssertFalse($0.isMiss, "\($0)") }
  }

  func testOfflineNoRequestIsSentAndAStoredResponseAnswers() async throws {
    let origin = transport("max-age=0")
    _ = try await data(origin).value(for: url)
    let cache = data(origin, offline: { _ in true })
    let unknown = URL(string: "http://example.com/unknown")!
    let (found, missing) = (
      try await cache.findValue(for: url), try await cache.findValue(for: unknown)
    )
    XCTAssertEqual(found, Data(Self.body.utf8))
    XCTAssertNil(missing)
    XCTAssertThrowsError(try cache.get(unknown).wait()) {
      XCTAssertEqual($0 as? CacheError, .conditionNotSatisfied)
    }
    XCTAssertEqual(origin.requests.count, 1)
  }

  func testASetValueIsKeptInMemoryAndReplacesTheResponse() async throws {
    let origin = transport("max-age=60")
    let cache = data(origin)
    _ = try await cache.value(for: url)
    try await cache.set(Data("set".utf8), for: url)
    let value = try await cache.value(for: url)
    XCTAssertEqual(value, Data("set".utf8))
    _ = try await data(origin).value(for: url)
    XCTAssertEqual(origin.requests.count, 2)
  }

  func testARelativeURLIsKnownByItsAbsoluteForm() throws {
    let scene = HTTPScene("max-age=60")
    let cache = CachePresets.pipeline(.utf8, .memory(clock: scene.origin.time), scene.cache)
    let relative = URL(string: "a", relativeTo: URL(string: "http://example.com/"))!
    _ = cache.set(relative, "one")
    XCTAssertEqual(try cache.get(url).wait(), "one")
    try cache.remove(url).wait()
    XCTAssertEqual(try cache.get(relative).wait(), "body")
  }
}

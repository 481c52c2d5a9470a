import Foundation
import StrataHTTP
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests which threads the levels use for file operations and codecs. A test runs on the main
/// thread unless the test is async.
final class OffMainThreadTests: XCTestCase {
  /// The recorded file operations and codec calls, each with its thread.
  private static let journal = Journal<String>()

  private static func note(_ call: String) {
    journal.note("\(call) \(Thread.isMainThread ? "on the main thread" : "elsewhere")")
  }

  private struct Article: Codable, Equatable, Sendable {
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      OffMainThreadTests.note("decode")
      text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      OffMainThreadTests.note("encode")
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  private let article = Article(String(repeating: "a", count: 100_000))
  private var directory = URL(fileURLWithPath: "/")
  private var log: SegmentLog?

  override func setUp() {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let files = FaultyFileSystem { _, call in
      Self.note(call)
      return nil
    }
    // All levels of the directory share this log, so they also share the file system that records
    // calls.
    log = SegmentLogs.at(
      DirectoryPath.of("a", in: directory), capacity: 100_000_000, files: files.files)
    _ = Self.journal.drain()
  }

  override func tearDown() {
    log = nil
    try? FileManager.default.removeItem(at: directory)
  }

  private func disk(offMainThread: Bool = true) -> Cache<String, Data> {
    .disk("a", in: directory, offMainThread: offMainThread)
  }

  /// Returns the file operations and codec calls since the previous call of this function. The
  /// first result contains only the calls on the main thread, and the second contains all calls.
  private func calls() -> (onMain: [String], all: Set<String>) {
    let calls = Self.journal.drain()
    return (calls.filter { $0.hasSuffix("on the main thread") }, Set(calls))
  }

  /// Runs each operation on the main thread, and waits until the operation ends. `answer` is called
  /// after the first get has been called, and lets the origin answer.
  private func exercise<Key, Value: Equatable>(
    _ make: () -> Cache<Key, Value>, _ key: Key, _ value: Value, loads: Bool = true,
    answer: () -> Void = {}
  ) throws {
    XCTAssertTrue(Thread.isMainThread)
    let cache = make()
    if loads {
      let get = cache.get(key)
      answer()
      XCTAssertEqual(try get.wait(for: .seconds(60)), value)
      XCTAssertEqual(cache.get(key).outcome?.value, value, "A hit in memory should be synchronous.")
      _ = cache.get(key)
      // The back-fill is still in flight when the get ends.
      try cache.set(key, value).wait(for: .seconds(60))
      XCTAssertEqual(try make().get(key).wait(for: .seconds(60)), value)
    }
    try cache.set(key, value).wait(for: .seconds(60))
    try cache.remove(key).wait(for: .seconds(60))
    try cache.clear().wait(for: .seconds(60))
  }

  func testTheHeadlineTouchesNoFileOnTheMainThread() throws {
    let body = try JSONEncoder().encode(article)
    _ = Self.journal.drain()
    // If the network answered during the call, its codec would run on the main thread.
    let gate = DispatchSemaphore(value: 0)
    let origin = try LoopbackOrigin { _ in
      gate.wait()
      return .respond(body: String(decoding: body, as: UTF8.self))
    }
    defer { origin.stop() }
    try exercise(
      {
        .memory()
          + (\.absoluteString <^> .disk("a", in: directory) <*> .json() + .network() <*> .json())
          .pooled()
      }, origin.url("/article"), article, answer: { gate.signal() })
    let (onMain, all) = calls()
    XCTAssertEqual(onMain, [])
    for call in ["encode", "decode", "append", "read", "create", "names"] {
      XCTAssertTrue(
        all.contains("\(call) elsewhere"), "\(call) should run elsewhere: \(all.sorted())")
    }
  }

  func testNoPresetTouchesAFileOnTheMainThread() throws {
    let body = try JSONEncoder().encode(article)
    _ = Self.journal.drain()
    let origin = try LoopbackOrigin { _ in
      .respond(
        headers: ["Cache-Control": "max-age=60"], body: String(decoding: body, as: UTF8.self))
    }
    defer { origin.stop() }
    let (url, directory) = (origin.url("/article"), directory)
    try exercise({ CachePresets.data("a", in: directory) }, url, body)
    XCTAssertEqual(calls().onMain, [])
    try exercise({ CachePresets.json("a", in: directory) }, url, .string(article.text))
    XCTAssertEqual(calls().onMain, [])
    try exercise({ CachePresets.json(Article.self, "a", in: directory) }, url, article)
    let (onMain, all) = calls()
    XCTAssertEqual(onMain, [])
    XCTAssertTrue(all.isSuperset(of: ["decode elsewhere", "append elsewhere", "read elsewhere"]))
  }

  func testEachFormOfACodecLeavesTheMainThread() throws {
    let note = { @Sendable (data: Data) in
      Self.note("code")
      return data
    }
    let value = Data(count: 1_000)
    let levels: [Cache<String, Data>] = [
      disk() <*> Codec(decode: note, encode: note),
      disk().mapValues(decode: { _, data in note(data) }, encode: { _, data in note(data) }),
      (.memory() + disk()) <*> Codec(decode: note, encode: note),
      (.memory() + disk()).mapValues(
        decode: { _, data in note(data) }, encode: { _, data in note(data) }),
    ]
    for level in levels {
      try exercise({ level }, "key", value, loads: false)
      try level.set("key", value).wait(for: .seconds(60))
      XCTAssertEqual(try level.get("key").wait(for: .seconds(60)), value)
      XCTAssertEqual(try level.fetcher.mapValues(note).get("key").wait(for: .seconds(60)), value)
      let (onMain, all) = calls()
      XCTAssertEqual(onMain, [])
      XCTAssertTrue(all.contains("code elsewhere"))
    }
  }

  func testASmallValueIsDecodedSynchronously() throws {
    let codec = Codec<Data, Data>(
      decode: { data throws -> Data in
        Self.note("decode")
        return data
      }, encode: { data throws -> Data in data })
    let level = (.memory() + disk()) <*> codec
    for (count, isSynchronous) in [(0, true), (512, true), (513, false), (100_000, false)] {
      try level.set("a", Data(count: count)).wait(for: .seconds(60))
      _ = Self.journal.drain()
      let get = level.get("a")
      XCTAssertEqual(try get.wait(for: .seconds(60)).count, count)
      XCTAssertEqual(
        Self.journal.drain(), ["decode \(isSynchronous ? "on the main thread" : "elsewhere")"])
    }
  }

  func testOneArgumentKeepsTheWorkOnTheMainThread() throws {
    let level: Cache<String, Article> = disk(offMainThread: false) <*> .json()
    XCTAssertNotNil(level.set("a", article).outcome?.value)
    XCTAssertEqual(level.get("a").outcome?.value, article)
    XCTAssertNotNil(level.clear().outcome?.value)
    XCTAssertEqual(level.plan.description, "disk(100 MB, offMainThread: false) <*> json")
    let expected = ["append", "read", "encode", "decode"].map { "\($0) on the main thread" }
    XCTAssertTrue(calls().all.isSuperset(of: expected))
    let stamped: Cache<String, Stamped<Data>> = .disk("a", in: directory, offMainThread: false)
    XCTAssertNotNil(
      stamped.set("a", Stamped(Data(), storedAt: TimeSource.system.now())).outcome)
  }

  func testOtherThreadsDoTheirOwnWork() async throws {
    let level: Cache<String, Article> = disk() <*> .json()
    let (article, isDone) = (article, expectation(description: "done"))
    Thread.detachNewThread {
      XCTAssertNotNil(level.set("a", article).outcome?.value)
      XCTAssertEqual(level.get("a").outcome?.value, article)
      XCTAssertNotNil(level.remove("a").outcome?.value)
      XCTAssertNotNil(level.clear().outcome?.value)
      isDone.fulfill()
    }
    await fulfillment(of: [isDone], timeout: 60)
  }

  /// Returns the value of a get, or `nil` for a miss.
  private func found(_ get: Promise<Article>) throws -> Article? {
    do { return try get.wait(for: .seconds(60)) } catch CacheError.notFound { return nil }
  }

  func testTheMainThreadSeesItsOperationsInTheirOrder() throws {
    let level: Cache<String, Article> = disk() <*> .json()
    for round in 0..<50 {
      // Shorter text might be decoded on the main thread, so this text has 600 characters.
      let long = String(repeating: "a", count: 600)
      let (one, other) = (Article("\(round) \(long)"), Article("other \(round) \(long)"))
      let cancelled = Article("cancelled \(long)")
      _ = level.set("a", one)
      let first = level.get("a")
      let isCancelled = level.set("a", cancelled)
      isCancelled.cancel()
      _ = level.set("a", other)
      let second = level.get("a")
      let clear = level.clear()
      let third = level.get("a")
      // A get returns the value of the last write before it, or of a write that begins before the
      // get has settled. The `clear` can begin before a get has settled, too. The cancelled write
      // can take effect if its thread was faster than the cancellation.
      XCTAssertTrue([one, cancelled, other, nil].contains(try found(first)))
      XCTAssertTrue([other, nil].contains(try found(second)))
      try clear.wait(for: .seconds(60))
      XCTAssertThrowsError(try third.wait(for: .seconds(60)))
    }
    XCTAssertEqual(calls().onMain, [])
  }
}

import Foundation
import Strata
import XCTest

@testable import StrataRedis

final class RedisTests: RedisCase {
  private func level(_ server: RedisServer? = nil) -> Cache<String, Data> {
    .redis(server ?? self.server(), prefix: prefix)
  }

  func testTheHeadline() throws {
    struct Article: Codable, Equatable { var title: String }
    let redis = server()
    let origin = Fetcher<URL, Data>(offMainThread: false) { _ in Data(#"{"title":"a"}"#.utf8) }
    let articles: Cache<URL, Article> =
      .memory()
      + (\.absoluteString <^> .redis(redis, prefix: prefix) <*> .json() + origin <*> .json())
      .pooled()
    let url = URL(fileURLWithPath: "/a")
    XCTAssertEqual(try articles.get(url).settled(), Article(title: "a"))
    XCTAssertEqual(
      "\(articles.plan)",
      "memory(1000) + (keys <^> redis(127.0.0.1:\(process.securePort ?? process.port), prefix: \"\(prefix)\") <*> json "
        + "+ fetcher <*> json).pooled()")
  }

  func testTwoClientsShareTheLevel() throws {
    let (one, other) = (level(), level())
    try one.set("k", Data("1".utf8)).settled()
    XCTAssertEqual(try other.get("k").settled(), Data("1".utf8))
    try other.remove("k").settled()
    XCTAssertThrowsError(try one.get("k").settled()) { XCTAssertTrue($0.isMiss) }
  }

  func testClearReachesEveryClientAndNoOtherPrefix() throws {
    let (one, other) = (level(), level())
    let neighbor = Cache<String, Data>.redis(server(), prefix: "\(prefix)-other:")
    try neighbor.set("k", Data("n".utf8)).settled()
    try one.set("k", Data("1".utf8)).settled()
    try other.clear().settled()
    XCTAssertThrowsError(try one.get("k").settled()) { XCTAssertTrue($0.isMiss) }
    XCTAssertEqual(try neighbor.get("k").settled(), Data("n".utf8))
    XCTAssertFalse(
      try raw().send("GET", prefix + "k").hasPrefix("$-1"), "A clear should remove no key.")
  }

  func testAWriterThatNeverReadsNoticesAClear() throws {
    let (writer, other) = (level(), level())
    try writer.set("k", Data("1".utf8)).settled()
    try other.clear().settled()
    try writer.set("k", Data("2".utf8)).settled()  // Reads the new epoch.
    try writer.set("k", Data("3".utf8)).settled()
    XCTAssertEqual(try other.get("k").settled(), Data("3".utf8))
  }

  func testAnEarlierGetDoesNotRestoreTheEpochBeforeAClear() throws {
    let level = level()
    try level.set("k", Data("1".utf8)).settled()
    for _ in 0..<20 {
      let (get, clear) = (level.get("l"), level.clear())  // Usually in one request.
      XCTAssertThrowsError(try get.settled())
      try clear.settled()
      try level.set("k", Data("2".utf8)).settled()
      XCTAssertEqual(try level.get("k").settled(), Data("2".utf8))
    }
  }

  func testAnEvictedEpochNeverRestoresWhatWasCleared() throws {
    let (one, other) = (level(), level())
    try one.set("k", Data("1".utf8)).settled()
    try raw().send("DEL", prefix + "\u{1}epoch")
    XCTAssertThrowsError(try other.get("k").settled()) { XCTAssertTrue($0.isMiss) }
    try other.set("l", Data("2".utf8)).settled()
    XCTAssertThrowsError(try one.get("k").settled()) { XCTAssertTrue($0.isMiss) }
    XCTAssertEqual(try one.get("l").settled(), Data("2".utf8))
  }

  func testManyGetsAreOneCommand() throws {
    let level = level()
    let keys = (0..<100).map { "k\($0)" }
    for key in keys { _ = level.set(key, Data(key.utf8)) }
    XCTAssertNotNil(try level.get("k99").settled())
    let raw = try raw()
    let gets: [() throws -> [Data]] = [
      { try level.values(of: keys).settled() }, { try level.batched().get(keys).settled() },
      {
        let found = try level.known(of: keys).settled()
        return keys.compactMap { found[$0] }
      },
      { try level.named("redis").values(of: keys).settled() },
      { try level.awaitedInSum(atMost: .seconds(9)).observed { _ in }.values(of: keys).settled() },
    ]
    for get in gets {
      // A thread that is interrupted for a few milliseconds sends its gets in several requests.
      Self.wait {
        raw.send("CONFIG", "RESETSTAT")
        return (try? get()) == keys.map { Data($0.utf8) } && raw.calls(of: "mget") == 1
      }
      XCTAssertEqual(raw.calls(of: "mget"), 1)
    }
  }

  func testABulkGetHasTheOutcomesOfSeparateGets() throws {
    let level = level()
    let keys = (0..<300).map { "k\($0)" }
    for key in keys.dropLast() { _ = level.set(key, Data(key.utf8)) }
    XCTAssertThrowsError(try level.values(of: keys).settled()) { XCTAssertTrue($0.isMiss) }
    try raw().send("SETRANGE", prefix + "k7", "0", "K")
    let found = try level.known(of: keys + keys).settled()
    XCTAssertEqual(found.count, 298)
    for (key, value) in found { XCTAssertEqual(value, Data(key.utf8)) }
    XCTAssertThrowsError(try level.values(of: keys).settled()) { XCTAssertFalse($0.isMiss) }
    let others = keys.suffix(100).dropLast().reversed()
    let texts = try (level <*> .utf8).values(of: others).settled()
    XCTAssertEqual(texts, Array(others))
  }

  func testABulkGetSeesEarlierWritesAndNoLaterOnes() throws {
    let level = level()
    for round in 0..<50 {
      _ = level.set("k", Data("\(round)".utf8))
      _ = level.remove("l")
      let (before, absent) = (level.values(of: ["k", "k"]), level.known(of: ["l", "k"]))
      _ = level.set("k", Data("later".utf8))
      XCTAssertEqual(try before.settled(), [Data("\(round)".utf8), Data("\(round)".utf8)])
      XCTAssertEqual(try absent.settled(), ["k": Data("\(round)".utf8)])
    }
  }

  func testDurationsOfAnyLengthAreAccepted() throws {
    for duration in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
      let server = try RedisServer(process.address, deadline: duration)
      let level =
        Cache<String, Data>.memory()
        .following(server, prefix: prefix, whenDisconnected: .keep(duration))
        + .redis(server, prefix: prefix, waitingForLoads: duration)
        + Fetcher(offMainThread: false) { _ in Data("1".utf8) }
      XCTAssertEqual(try level.get("k").settled(), Data("1".utf8))
    }
  }

  func testAGroupOfGetsWaitsForNoBlockedThread() throws {
    let level = level()
    try level.set("k", Data("1".utf8)).settled()
    let blocking = level.transformingGet("blocking") { get in
      { key in
        let answer = get(key)
        RedisCase.wait { answer.outcome != nil }
        return answer
      }
    }
    XCTAssertEqual(try blocking.values(of: ["k", "k"]).settled().count, 2)
  }

  func testALargeValueIsRefused() throws {
    let small = Cache<String, Data>.redis(server(), prefix: prefix, valueLimit: 100)
    XCTAssertThrowsError(try small.set("k", Data(count: 101)).outcome?.get()) { error in
      XCTAssertEqual(error as? RedisError, .valueTooLarge(bytes: 101, limit: 100))
    }
    try small.set("k", Data(count: 100)).settled()
    let large = Data(repeating: 7, count: 8 << 20)
    try level().set("large", large).settled()
    XCTAssertEqual(try level().get("large").settled(), large)
  }

  func testADamagedRecordIsAFailureAndHeals() throws {
    let level = level()
    try level.set("k", Data("value".utf8)).settled()
    try raw().send("SETRANGE", prefix + "k", "0", "V")
    XCTAssertThrowsError(try level.get("k").settled()) {
      XCTAssertEqual($0 as? RedisError, .damaged)
    }
    try raw().send("SET", prefix + "k", "foreign")
    XCTAssertThrowsError(try level.get("k").settled()) {
      XCTAssertEqual($0 as? RedisError, .damaged)
    }
    let sum = level + Fetcher(offMainThread: false) { _ in Data("new".utf8) }
    XCTAssertEqual(try sum.get("k").settled(), Data("new".utf8))
  }

  func testARecordUnderAnotherKeyIsDamaged() throws {
    let level = level()
    try level.set("k", Data("value".utf8)).settled()
    try raw().send("COPY", prefix + "k", prefix + "l")
    XCTAssertThrowsError(try level.get("l").settled()) {
      XCTAssertEqual($0 as? RedisError, .damaged)
    }
  }

  func testARecordOfAnotherTypeIsAMiss() throws {
    try raw().send("LPUSH", prefix + "k", "x")
    XCTAssertThrowsError(try level().get("k").settled()) { XCTAssertTrue($0.isMiss) }
    try level().set("k", Data("v".utf8)).settled()
    XCTAssertEqual(try level().get("k").settled(), Data("v".utf8))
  }

  func testKeysDontMeetTheEpoch() throws {
    let level = level()
    let keys = ["\u{1}epoch", "\u{1}\u{1}epoch", "epoch", ""]
    for key in keys { try level.set(key, Data(key.utf8)).settled() }
    for key in keys { XCTAssertEqual(try level.get(key).settled(), Data(key.utf8)) }
  }

  func testAFullServerReportsItAndTheSumContinues() throws {
    let process = try RedisProcess("--maxmemory", "100kb", "--maxmemory-policy", "noeviction")
    defer { process.remove() }
    let server = try RedisServer(process.address, deadline: .seconds(300))
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    XCTAssertThrowsError(try level.set("k", Data(count: 100)).settled()) { error in
      guard case RedisError.server("OOM", _)? = error as? RedisError else {
        return XCTFail("\(error)")
      }
      XCTAssertTrue("\(error)".contains("maxmemory"))
    }
    let sum = level + Fetcher(offMainThread: false) { key in Data(key.utf8) }
    XCTAssertEqual(try sum.get("k").settled(), Data("k".utf8))
  }

  func testAReplicaReportsItAndTheSumContinues() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    RawClient(port: process.port)?.send("REPLICAOF", "127.0.0.1", "1")
    let server = try RedisServer(process.address, deadline: .seconds(300))
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    XCTAssertThrowsError(try level.set("k", Data()).settled()) { error in
      guard case RedisError.server(let code, _)? = error as? RedisError,
        ["READONLY", "MASTERDOWN"].contains(code)
      else { return XCTFail("\(error)") }
    }
    let sum = level + Fetcher(offMainThread: false) { key in Data(key.utf8) }
    XCTAssertEqual(try sum.get("k").settled(), Data("k".utf8))
  }

  func testALoadingServerReportsIt() throws {
    let fake = try FakeRedis { request, _ in
      .bytes("-LOADING Redis is loading the dataset in memory\r\n")
    }
    let server = try RedisServer("redis://127.0.0.1:\(fake.port)", deadline: .seconds(300))
    XCTAssertThrowsError(try level(server).get("k").settled()) { error in
      guard case RedisError.server("LOADING", _)? = error as? RedisError else {
        return XCTFail("\(error)")
      }
    }
  }
}

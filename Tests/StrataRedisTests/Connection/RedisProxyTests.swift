import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests that a level behind a faulty proxy never returns a wrong value, and that every operation
/// settles.
final class RedisProxyTests: RedisCase {
  private static func value(_ key: Int, _ version: Int) -> Data {
    Data("\(key) \(version) \(String(repeating: "x", count: version % 3000))".utf8)
  }

  private func isOwn(_ data: Data, _ key: Int) -> Bool {
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    return words.count >= 2 && Int(words[1]).map { Self.value(key, $0) == data } == true
  }

  /// Runs groups of operations, and returns the number of successful operations.
  private func check(
    requests: @escaping FaultyProxy.Fault, replies: @escaping FaultyProxy.Fault, rounds: Int = 60,
    deadline: Duration = .seconds(2), line: UInt = #line
  ) throws -> (done: Int, failed: Int) {
    let port = process.securePort ?? process.port
    let proxy = try FaultyProxy(to: port, seed: 5, requests: requests, replies: replies)
    let server = try RedisServer(process.address(port: proxy.port), deadline: deadline)
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    let sum = level + Fetcher<String, Data>(offMainThread: false) { Self.value(Int($0) ?? 0, 7) }
    var generator = SeededGenerator(seed: 6)
    var (done, failed) = (0, 0)
    for _ in 0..<rounds {
      var gets: [(Int, Promise<Data>)] = []
      var writes: [Promise<Void>] = []
      for _ in 0..<20 {
        let key = Int.random(in: 0..<8, using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<6:
          let version = Int.random(in: 0..<100_000, using: &generator)
          writes.append(level.set("\(key)", Self.value(key, version)))
        case 6: writes.append(level.remove("\(key)"))
        case 7: writes.append(level.clear())
        case 8..<12: gets.append((key, sum.get("\(key)")))
        default: gets.append((key, level.get("\(key)")))
        }
      }
      for (key, get) in gets {
        do {
          let data = try get.settled()
          XCTAssertTrue(
            isOwn(data, key), "A get should not return another key's value.", line: line)
          done += 1
        } catch {
          XCTAssertNotEqual(error as? CacheError, .abandoned, line: line)
          if !error.isMiss { failed += 1 }
        }
      }
      for write in writes { if (try? write.settled()) != nil { done += 1 } else { failed += 1 } }
    }
    print("proxy: \(done) done, \(failed) failed")
    return (done, failed)
  }

  func testSingleBytes() throws {
    let result = try check(requests: FaultyProxy.split, replies: FaultyProxy.split, rounds: 5)
    XCTAssertGreaterThan(result.done, 0)
  }

  func testDelays() throws {
    let result = try check(requests: FaultyProxy.delay, replies: FaultyProxy.delay, rounds: 20)
    XCTAssertGreaterThan(result.done, 0)
  }

  func testCuts() throws {
    let result = try check(
      requests: FaultyProxy.cut(one: 10), replies: FaultyProxy.cut(one: 10))
    XCTAssertGreaterThan(result.done, 0)
    XCTAssertGreaterThan(result.failed, 0)
  }

  // If the length in a reply is corrupted, the connection waits until its deadline for bytes that
  // never arrive.
  func testCorruptedReplies() throws {
    let result = try check(
      requests: FaultyProxy.none, replies: FaultyProxy.corrupt(one: 5),
      deadline: .milliseconds(100))
    XCTAssertGreaterThan(result.done, 0)
    XCTAssertGreaterThan(result.failed, 0)
  }

  func testCorruptedRequests() throws {
    let result = try check(
      requests: FaultyProxy.corrupt(one: 5), replies: FaultyProxy.none,
      deadline: .milliseconds(100))
    XCTAssertGreaterThan(result.done, 0)
    XCTAssertGreaterThan(result.failed, 0)
  }
}

import Foundation
import Strata
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests the limit on the number of requests that wait or are in flight.
final class RedisMailboxTests: RedisCase {
  func testAnAnsweredBulkGetNoLongerCountsTowardTheQueueLimit() throws {
    let level = Cache<String, Data>.redis(
      try RedisServer(process.address, queueLimit: 200), prefix: prefix)
    let keys = (0..<100).map { "k\($0)" }
    for key in keys { try level.set(key, Data(key.utf8)).settled() }
    for _ in 0..<20 { XCTAssertEqual(try level.values(of: keys).settled().count, 100) }
  }

  func testAnAnsweredRequestNoLongerCountsTowardTheQueueLimit() throws {
    let level = Cache<String, Data>.redis(
      try RedisServer(process.address, deadline: .seconds(60), queueLimit: 1), prefix: prefix)
    for number in 0..<200 {
      try level.set("k", Data("\(number)".utf8)).settled()
      XCTAssertEqual(try level.get("k").settled(), Data("\(number)".utf8))
    }
  }

  func testAFullQueueAcceptsRequestsAgainAfterAnOutage() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let level = Cache<String, Data>.redis(
      try RedisServer(process.address, deadline: .milliseconds(200), queueLimit: 200),
      prefix: prefix)
    RedisCase.wait { (try? level.set("k", Data("1".utf8)).settled()) != nil }
    kill(process.processID, SIGSTOP)
    XCTAssertEqual(try level.known(of: (0..<200).map { "k\($0)" }).settled().count, 0)
    kill(process.processID, SIGCONT)
    RedisCase.wait { (try? level.get("k").settled()) == Data("1".utf8) }
  }

  /// After an answer, the connection's thread sleeps, and the caller sends the next request itself.
  func testARequestThatItsCallerHasSentTimesOut() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    let level = Cache<String, Data>.redis(
      try RedisServer(
        process.address, deadline: .milliseconds(500), keepalive: .seconds(1_000)), prefix: prefix)
    RedisCase.wait { (try? level.set("k", Data("1".utf8)).settled()) != nil }
    for _ in 0..<10 { _ = try? level.get("k").settled() }
    kill(process.processID, SIGSTOP)
    let late = level.get("k")
    XCTAssertThrowsError(try late.settled()) { error in
      XCTAssertEqual(error as? CacheError, .timedOut())
    }
    kill(process.processID, SIGCONT)
    RedisCase.wait { (try? level.get("k").settled()) == Data("1".utf8) }
  }

  /// Only a thread that wakes by then notices that a request has timed out.
  func testACallerSendsOnlyIfTheThreadWakesByTheDeadline() throws {
    let settings = RedisSettings(address: .failure(.closed))
    for (deadline, isLent) in [(Int64(99), false), (100, true), (101, true)] {
      let mailbox = try XCTUnwrap(RedisMailbox(limits: settings.limits))
      let loop = RedisLoop(settings, mailbox, RedisJournal())
      _ = mailbox.take(isSignalled: false)
      XCTAssertTrue(mailbox.mayLetSleep(holdingUntil: nil, until: 100, lending: loop))
      mailbox.send(
        RedisClosureRequest(
          .command { _ in }, isRepeatable: true, deadline: deadline, size: 0, receive: { _, _ in }))
      mailbox.endSleep()
      XCTAssertEqual(loop.pipeline.hasRequests, isLent, "\(deadline)")
      XCTAssertEqual(mailbox.take(isSignalled: false).requests.isEmpty, isLent, "\(deadline)")
    }
  }

  /// The callers and the connection's thread use the connection in turn.
  func testCallersThatSendTheirRequestsSeeTheirOwnWrites() throws {
    let level = Cache<String, Data>.redis(server(), prefix: prefix)
    let faults = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<200 {
        let (key, value) = ("\(thread)", Data("\(thread) \(number)".utf8))
        do {
          if number.isMultiple(of: 3) { try level.set(key, value).settled() }
          let found = try level.get(key).settled()
          let last = Data("\(thread) \(number / 3 * 3)".utf8)
          if found != last { faults.withLock { $0.append("\(key): \(found)") } }
        } catch { faults.withLock { $0.append("\(key): \(error)") } }
      }
    }
    XCTAssertEqual(faults.withLock { $0 }, [])
  }
}

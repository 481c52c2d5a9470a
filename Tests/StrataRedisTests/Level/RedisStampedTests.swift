import Foundation
import Strata
import XCTest

@testable import StrataRedis

final class RedisStampedTests: RedisCase {
  func testTheStampIsStoredAndPromotedAcrossClients() throws {
    let (time, clock) = TimeSource.manual()
    func level() -> Cache<String, Stamped<Data>> { .redis(server(), prefix: prefix, clock: time) }
    let stamped = Stamped(
      Data("v".utf8), storedAt: time.now(), expiresAt: time.now().advanced(by: .seconds(3600)))
    try level().set("k", stamped).settled()
    clock.advance(by: .seconds(600))
    let pipeline = Cache<String, Stamped<Data>>.memory(clock: time) + level()
    let found = try pipeline.get("k").settled()
    XCTAssertEqual(found.value, stamped.value)
    XCTAssertEqual(found.storedAt.milliseconds, stamped.storedAt.milliseconds)
    XCTAssertEqual(found.expiresAt?.milliseconds, stamped.expiresAt?.milliseconds)
    clock.advance(by: .seconds(3000))
    XCTAssertThrowsError(try level().get("k").settled()) { XCTAssertTrue($0.isMiss) }
  }

  func testTheServerRemovesARecordAtItsDeadline() throws {
    let level: Cache<String, Stamped<Data>> = .redis(server(), prefix: prefix)
    let now = TimeSource.system.now()
    try level.set("k", Stamped(Data(), storedAt: now, lasting: .seconds(1000))).settled()
    let reply = try raw().send("PTTL", prefix + "k").dropFirst().prefix { $0.isNumber }
    XCTAssertTrue((1...1_000_000).contains(Int(reply) ?? 0), "\(reply)")
    try level.set("k", Stamped(Data(), storedAt: now)).settled()
    XCTAssertTrue(try raw().send("PTTL", prefix + "k").hasPrefix(":-1"))
  }

  func testAnExpiredValueIsNotStored() throws {
    let level: Cache<String, Stamped<Data>> = .redis(server(), prefix: prefix)
    let now = TimeSource.system.now()
    try level.set("k", Stamped(Data(), storedAt: now)).settled()
    try level.set("k", Stamped(Data(), storedAt: now, lasting: .seconds(-1))).settled()
    XCTAssertTrue(try raw().send("EXISTS", prefix + "k").hasPrefix(":0"))
  }
}

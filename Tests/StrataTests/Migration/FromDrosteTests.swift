import Foundation
import Strata
import XCTest

/// Tests the migration tables for Droste and layercache, row by row, except for features that
/// Carlos also has.
final class FromDrosteTests: MigrationCase {
  func testPromisesInCodecs() throws {
    let same: Codec<Data, Data> = Codec(decode: { Promise($0) }, encode: { Promise($0) })
    XCTAssertNoThrow(try now((upper <*> same).set("a", Data())))
  }

  func testSkipWhile() {
    let open = upper.conditioned { key in key != "secret" }
    _ = upper.set("secret", bytes("x"))
    XCTAssertEqual(open.get("secret").outcome?.error as? CacheError, .conditionNotSatisfied)
  }

  func testAges() throws {
    let stamped: Cache<String, Stamped<Data>> = .memory()
    let moment = TimeSource.Instant(Date(timeIntervalSince1970: 0))
    let (short, past) = (
      stamped.expiring(after: .seconds(10)), stamped.expiring(at: moment)
    )
    _ = short.set("a", bytes("x"))
    XCTAssertEqual(try now(short.get("a")), bytes("x"))
    _ = past.set("a", bytes("y"))
    XCTAssertEqual(past.get("a").outcome?.error?.isMiss, true)
  }

  func testForwarding() async throws {
    let fetcher: Fetcher<String, Data> = Fetcher { Data($0.utf8) }
    _ = upper.set("a", bytes("old"))
    var last: Data?
    for try await update in upper.updating(from: fetcher).values("a") { last = update.value }
    XCTAssertEqual(last, bytes("a"))
  }

  func testAWriteThroughTheUpdatesWinsOverAForwardedRead() async throws {
    let loads = Journal<Promise<Data>.Continuation>()
    let fetcher = Fetcher<String, Data> { _ in Promise { load in loads.note(load) } }
    let (updates, data) = (upper.updating(from: fetcher), bytes("written"))
    let reading = updates.values("a")
    try await updates.cache.set(data, for: "a")
    XCTAssertEqual(loads.entries.map { $0.succeed(bytes("loaded")) }, [true])
    for try await _ in reading {}
    XCTAssertEqual(try now(upper.get("a")), data)
  }

  func testLevels() {
    let ram: Cache<URL, Int> = .memory()
    let map: Cache<URL, Int> = .dictionary()
    XCTAssertEqual([ram.plan.description, map.plan.description], ["memory(1000)", "dictionary"])
    XCTAssertEqual(Fetcher<URLRequest, Data>.network().plan.description, "network")
  }

  func testOneKey() throws {
    let single = { (_: Int) in "" } <^> upper
    _ = single.set(1, bytes("x"))
    XCTAssertEqual(try now(single.get(2)), bytes("x"))
  }

  func testOutcomes() async throws {
    try await upper.set(bytes("x"), for: "a")
    let outcomes = try await upper.outcomes(for: ["a", "b"])
    XCTAssertEqual(outcomes.map(\.value), [bytes("x"), nil])
  }

  func testManyKeys() throws {
    let data = bytes("x")
    XCTAssertNotNil(upper.batched().set(["a", "b"], [data, data]).outcome?.value)
    XCTAssertEqual(try now(upper.known(of: ["a", "b"])), ["a": data, "b": data])
  }

  func testACodecThatSeals() throws {
    let seal: @Sendable (Data) throws -> Data = { Data($0.map { $0 ^ 0x55 }) }
    let open: @Sendable (Data) throws -> Data = { Data($0.map { $0 ^ 0x55 }) }
    let sealed = upper <*> Codec(decode: open, encode: seal)
    _ = sealed.set("a", bytes("x"))
    XCTAssertEqual(try now(sealed.get("a")), bytes("x"))
    XCTAssertNotEqual(try now(upper.get("a")), bytes("x"))
  }

  func testAnswersAsTheyCome() {
    let ends = Journal<String>()
    let show: @Sendable (Promise<Data>.Outcome) -> Void = { ends.note("\($0)") }
    let promise = lower.get("none")
    promise.onCompletion { outcome in show(outcome) }
    XCTAssertEqual(ends.count, 1)
  }
}

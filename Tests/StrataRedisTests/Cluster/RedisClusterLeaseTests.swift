import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests gets that take a lease in a cluster, where one server stores the epoch and another server
/// stores the record. Each get looks up its key before a `clear`, and continues after a later
/// `set`.
final class RedisClusterLeaseTests: XCTestCase {
  private var store: RedisStore!
  private var record: [UInt8] { store.name(of: "k") }

  override func setUpWithError() throws {
    let server = try RedisServer(
      cluster: try RedisClusterProcess.shared().addresses, deadline: .seconds(300))
    store = RedisStore(server, prefix: UUID().uuidString + ":", valueLimit: 100)
    try store.set("other", Data(), .bytes).settled()
  }

  private func get(isClaim: Bool = false) -> RedisLeasedGet<Data> {
    RedisLeasedGet(
      store: store, name: record, leasing: RedisLeasing(), isClaim: isClaim, format: .bytes,
      patienceEnd: nil, deadline: store.client.deadline)
  }

  private func command(_ name: String, _ arguments: String...) throws -> RedisReply {
    try store.client.command(
      [Array(name.utf8), record] + arguments.map { Array($0.utf8) }, key: record,
      isRepeatable: true
    ).settled()
  }

  private func expectLease(line: UInt = #line) throws {
    let found = try get().find().settled()
    XCTAssertThrowsError(try get().resolve(found).settled(), line: line) { error in
      XCTAssertTrue(error is RedisLeaseTaken, "\(error)", line: line)
    }
    guard case .record(let record, _) = try get().find().settled() else {
      return XCTFail("There is no lease.", line: line)
    }
    XCTAssertEqual(record.kind, .lease, line: line)
  }

  private func replaceEpochAndValue() throws {
    try store.clear().settled()
    try store.set("k", Data("new".utf8), .bytes).settled()
  }

  private func expectNew(_ promise: Promise<Data>, line: UInt = #line) throws {
    XCTAssertEqual(String(decoding: try promise.settled(), as: UTF8.self), "new", line: line)
    let later = try store.get("k", .bytes).settled()
    XCTAssertEqual(String(decoding: later, as: UTF8.self), "new", line: line)
  }

  func testALaterValueIsNotReplacedByALease() throws {
    let early = try get().find().settled()
    try replaceEpochAndValue()
    try expectNew(get().resolve(early))
  }

  func testALaterValueIsNotReplacedByAClaim() throws {
    let early = try get(isClaim: true).find().settled()
    try replaceEpochAndValue()
    try expectNew(get(isClaim: true).resolve(early))
  }

  func testARecordThatIsNewerThanTheEpochIsFound() throws {
    let early = try get().find().settled()
    try replaceEpochAndValue()
    let reply = try command("GET")
    guard case (.absent(_, let epoch), .bytes(let bytes)) = (early, reply) else {
      return XCTFail("\(early), \(reply)")
    }
    // Simulates a lookup that reads the epoch before the `clear`, and the record after the `set`.
    try expectNew(get().resolve(.absent(bytes, epoch: epoch)))
  }

  func testAClearedRecordIsReplacedByALease() throws {
    try store.set("k", Data("old".utf8), .bytes).settled()
    try store.clear().settled()
    try expectLease()
  }

  func testAnInvalidRecordIsReplacedByALease() throws {
    try store.set("k", Data("old".utf8), .bytes).settled()
    _ = try command("SETRANGE", "0", "O")
    try expectLease()
    _ = try command("SET", "a short text of another program")
    try expectLease()
    _ = try command("SET", String(repeating: "a long text of another program ", count: 9))
    try expectLease()
  }
}

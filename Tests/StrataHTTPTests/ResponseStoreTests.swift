import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class ResponseStoreTests: XCTestCase {
  private func variant(_ value: String, body: String = "x") -> StoredResponse {
    let response = NetworkResponse.made(
      ["Cache-Control": "max-age=60", "Vary": "Foo"], body: body)
    return HTTPCachePolicy().stored(response, for: .made(["Foo": value]))
  }

  /// Returns the name of the record of a variant.
  private func name(_ bytes: Cache<String, Data>, _ value: String) throws -> String {
    guard case .variants(let list) = StoreRecord(try bytes.get("k").wait()) else { return "" }
    return StoreKey.variant("k", variant(value).selecting.hidden(by: list.key))
  }

  private func find(_ store: ResponseStore, _ value: String) throws -> String? {
    try store.find("k", for: .made(["Foo": value])).wait().response?.response.text
  }

  func testTheOldestVariantsAreRemoved() throws {
    let held = Lock<[String: Data]>([:])
    let store = ResponseStore(.holding(held))
    let count = SelectingList.maximum + 3
    for index in 0..<count { store.put(variant("\(index)", body: "\(index)"), under: "k") }
    for index in 0..<count {
      XCTAssertEqual(try find(store, "\(index)"), index < 3 ? nil : "\(index)")
    }
    XCTAssertEqual(held.withLock { $0.count }, SelectingList.maximum + 1, "and one list")
  }

  func testAVariantIsReplacedByItsSuccessor() throws {
    let store = ResponseStore(.dictionary())
    for body in ["a", "b"] { store.put(variant("1", body: body), under: "k") }
    store.put(variant("2", body: "c"), under: "k")
    XCTAssertEqual(try find(store, "1"), "b")
    store.remove(variant("1"), under: "k")
    XCTAssertEqual(try find(store, "1"), nil)
    XCTAssertEqual(try find(store, "2"), "c")
  }

  func testAListedVariantThatIsMissingIsAMiss() throws {
    let bytes = Cache<String, Data>.dictionary()
    let store = ResponseStore(bytes)
    store.put(variant("1"), under: "k")
    _ = bytes.remove(try name(bytes, "1"))
    XCTAssertEqual(try find(store, "1"), nil)
  }

  func testARecordUnderTheWrongNameIsAMiss() throws {
    let bytes = Cache<String, Data>.dictionary()
    let store = ResponseStore(bytes)
    store.put(variant("1"), under: "k")
    let name = try name(bytes, "1")
    _ = bytes.set(name, StoreRecord.response(variant("2", body: "other")).data)
    XCTAssertEqual(try find(store, "1"), nil)
  }

  func testAFailedWriteRemovesTheOlderResponse() throws {
    let bytes = Cache<String, Data>.dictionary()
    let isFull = Lock(false)
    let store = ResponseStore(
      Cache(
        get: bytes.get,
        set: { key, data in
          isFull.withLock { $0 } ? Promise(error: FakeOrigin.Down()) : bytes.set(key, data)
        }, remove: bytes.remove, clear: bytes.clear))
    store.put(.made("max-age=60"), under: "k")
    isFull.withLock { $0 = true }
    store.put(.made("max-age=90"), under: "k")
    guard case .nothing = try store.find("k", for: .made()).wait() else {
      return XCTFail("The store should not return an older response.")
    }
  }

  /// A store whose gets or sets of some keys fail while the test says so.
  private func faulty(
    _ bytes: Cache<String, Data>, get: Lock<String?> = Lock(nil), set: Lock<String?> = Lock(nil)
  ) -> Cache<String, Data> {
    Cache(
      get: { key in
        get.withLock { $0 } == key ? Promise(error: FakeOrigin.Down()) : bytes.get(key)
      },
      set: { key, data in
        set.withLock { $0 } == key ? Promise(error: FakeOrigin.Down()) : bytes.set(key, data)
      }, remove: bytes.remove, clear: bytes.clear)
  }

  private let alice = [SelectingField(name: "cookie", value: "alice")]
  private let bob = [SelectingField(name: "cookie", value: "bob")]

  private func find(_ store: ResponseStore, of reader: [SelectingField]) throws -> Bool {
    let cookie = reader.first?.value ?? ""
    let finding = try store.find("k", for: .made(["Cookie": cookie])).wait()
    return finding.response != nil
  }

  func testAnInvalidationRemovesTheUsersOfAListThatCannotBeRead() throws {
    let failure = Lock<String?>(nil)
    let store = ResponseStore(faulty(.dictionary(), get: failure))
    for reader in [alice, bob] { store.put(.made("max-age=60"), under: "k", for: reader) }
    XCTAssertTrue(try find(store, of: alice))
    failure.withLock { $0 = StoreKey.readers("k") }
    try store.removeAll(under: "k").wait()
    failure.withLock { $0 = nil }
    for reader in [alice, bob] { XCTAssertFalse(try find(store, of: reader)) }
  }

  func testAWriteKeepsTheUsersOfAListThatCannotBeRead() throws {
    let failure = Lock<String?>(nil)
    let store = ResponseStore(faulty(.dictionary(), get: failure))
    store.put(.made("max-age=60"), under: "k", for: alice)
    failure.withLock { $0 = StoreKey.readers("k") }
    XCTAssertThrowsError(try store.put(.made("max-age=60"), under: "k", for: bob).wait())
    XCTAssertThrowsError(try store.remove(.made("max-age=60"), under: "k", for: alice).wait())
    XCTAssertFalse(try find(store, of: alice))
    failure.withLock { $0 = nil }
    XCTAssertTrue(try find(store, of: alice))
  }

  func testAFailedWriteOfTheFirstListRemovesTheOlderResponse() throws {
    let failure = Lock<String?>(nil)
    let store = ResponseStore(faulty(.dictionary(), set: failure))
    store.put(.made("max-age=60"), under: "k")
    failure.withLock { $0 = "k" }
    XCTAssertThrowsError(try store.put(variant("1"), under: "k").wait())
    guard case .nothing = try store.find("k", for: .made()).wait() else {
      return XCTFail("The store should not return an older response.")
    }
  }

  func testUpdatesOfASlowStoreKeepTheirOrder() throws {
    let bytes = Cache<String, Data>.dictionary()
    let slow = Cache<String, Data>(
      get: { key in
        Promise {
          await Task.yield(); return try await bytes.get(key).value
        }
      },
      set: { key, data in
        Promise {
          await Task.yield(); try await bytes.set(key, data).value
        }
      },
      remove: { key in
        Promise {
          await Task.yield(); try await bytes.remove(key).value
        }
      })
    let store = ResponseStore(slow)
    for index in 0..<20 { store.put(variant("\(index)", body: "\(index)"), under: "k") }
    for index in 0..<20 { XCTAssertEqual(try find(store, "\(index)"), "\(index)") }
  }
}

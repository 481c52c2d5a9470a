import Dispatch
import StrataLaws
import XCTest

@testable import Strata

final class DiskStoreTests: DiskTestCase {
  func testAValueIsReadBackUnderItsKeyAlone() throws {
    let store = store()
    XCTAssertNil(store.read("a"))
    try store.write(Data([1]), for: "a")
    XCTAssertEqual(store.read("a"), Data([1]))
    XCTAssertNil(store.read("b"))
    try store.write(Data(), for: "a")
    XCTAssertEqual(store.read("a"), Data())
  }

  func testAReadMakesNoFolder() {
    XCTAssertNil(store().read("a"))
    XCTAssertEqual(names(in: base), [])
  }

  func testRemoveForgetsOneKeyAndRemoveAllForgetsAll() throws {
    let store = store()
    for key in ["a", "b", "c"] { try store.write(Data(key.utf8), for: key) }
    try store.remove("a")
    try store.remove("a")
    XCTAssertNil(store.read("a"))
    XCTAssertEqual(store.read("b"), Data("b".utf8))
    try store.removeAll()
    XCTAssertEqual(names(), [])
    XCTAssertNil(store.read("b"))
    try store.write(Data([1]), for: "b")
    XCTAssertEqual(store.read("b"), Data([1]))
  }

  func testRemovingFromAFolderThatIsNotThereSucceeds() throws {
    try store().remove("a")
    try store().removeAll()
    XCTAssertEqual(names(in: base), [])
  }

  func testValuesSurviveReopening() throws {
    try store().write(Data([7]), for: "a")
    XCTAssertEqual(store().read("a"), Data([7]))
  }

  func testAValueOfSeveralMegabytesComesBackWhole() throws {
    let value = Data(repeating: 0xa5, count: 2 << 20)
    let store = store(capacity: 16 << 20)
    try store.write(value, for: "a")
    XCTAssertEqual(store.read("a"), value)
  }

  func testHostileKeysStayApartAndInsideTheFolder() throws {
    let store = store(capacity: 64 << 20)
    let long = String(repeating: "x", count: 100_000)
    let keys = DiskNamesTests.hostile + [long, long + "y"]
    for key in keys { try store.write(Data("value of \(key)".utf8), for: key) }
    for key in keys { XCTAssertEqual(store.read(key), Data("value of \(key)".utf8)) }
    XCTAssertEqual(names().count, keys.count)
    XCTAssertEqual(names(in: base), ["store"])
  }

  func testThousandsOfRandomKeysStayApart() throws {
    let store = store(capacity: 64 << 20)
    var random = SeededGenerator(seed: 9)
    var keys = Set<String>()
    while keys.count < 2_000 {
      let length = Int.random(in: 0...10, using: &random)
      keys.insert(
        String((0..<length).map { _ in "aAbB/.%\u{0}é🙂 ".randomElement(using: &random)! }))
    }
    for key in keys { try store.write(Data(key.utf8), for: key) }
    for key in keys { XCTAssertEqual(store.read(key), Data(key.utf8)) }
    XCTAssertEqual(names().count, keys.count)
  }

  func testStringsEqualInSwiftAreOneKey() throws {
    let store = store()
    try store.write(Data([1]), for: "caf\u{e9}")
    try store.write(Data([2]), for: "cafe\u{301}")
    XCTAssertEqual(store.read("caf\u{e9}"), Data([2]))
    XCTAssertEqual(names().count, 1)
    try store.remove("caf\u{e9}")
    XCTAssertNil(store.read("cafe\u{301}"))
  }

  func testACollisionIsAMissThatDestroysNothing() throws {
    let name = String(repeating: "0", count: 64) + DiskNames.recordSuffix
    let store = store(fileName: { _ in name })
    try store.write(Data([1]), for: "a")
    XCTAssertNil(store.read("b"))
    XCTAssertEqual(store.read("a"), Data([1]))
    try store.write(Data([2]), for: "b")
    XCTAssertNil(store.read("a"))
    XCTAssertEqual(store.read("b"), Data([2]))
  }

  func testAValueLargerThanTheStoreIsRefusedAndTheOldOneForgotten() throws {
    let store = store(capacity: 1_000)
    try store.write(Data([1]), for: "a")
    let length = 48 + 1 + 1_000
    XCTAssertThrowsError(try store.write(Data(count: 1_000), for: "a")) {
      XCTAssertEqual($0 as? DiskError, .valueTooLarge(bytes: length, capacity: 1_000))
    }
    XCTAssertNil(store.read("a"))
    try store.write(Data(count: 1_000 - 48 - 1), for: "a")
    XCTAssertEqual(store.read("a")?.count, 951)
  }

  func testACapacityBelowZeroHoldsNothing() {
    XCTAssertThrowsError(try store(capacity: -1).write(Data(), for: ""))
  }

  func testOneFolderHasOneStoreInAProcess() throws {
    let one = DiskStore.at(folder, capacity: 2_000)
    XCTAssertTrue(one === DiskStore.at(base + "//./store/", capacity: 5_000))
    XCTAssertEqual(one.capacity, 2_000)
    XCTAssertFalse(one === DiskStore.at(base + "/other", capacity: 1_000))
    // The smallest capacity keeps the promise made to each.
    XCTAssertEqual(DiskStore.at(folder, capacity: 1_000).capacity, 1_000)
    XCTAssertEqual(one.capacity, 1_000)
  }

  func testAStoreGoesWithItsLastUser() {
    weak var released: DiskStore?
    do {
      let store = DiskStore.at(folder, capacity: 1_000)
      released = store
      XCTAssertNil(store.read("a"))
    }
    XCTAssertNil(released)
    XCTAssertEqual(DiskStore.at(folder, capacity: 9_000).capacity, 9_000)
  }

  /// As two processes would: each with an own idea of what the folder holds.
  func testTwoStoresThatDoNotKnowEachOtherShareAFolder() throws {
    var random = SeededGenerator(seed: 61)
    let stores = [store(capacity: 20_000), store(capacity: 20_000)]
    var latest: [String: Int] = [:]
    for version in 0..<400 {
      let key = "k\(Int.random(in: 0..<12, using: &random))"
      let (one, other) = version % 2 == 0 ? (stores[0], stores[1]) : (stores[1], stores[0])
      if version % 97 == 96 {
        try one.removeAll()
        latest = [:]
      }
      let length = Int.random(in: 0...4_000, using: &random)
      try one.write(Stamp(key: key, version: version).value(length: length), for: key)
      latest[key] = version
      let read = try XCTUnwrap(other.read(key))
      XCTAssertEqual(Stamp(read), Stamp(key: key, version: version))
      for key in latest.keys {
        if let value = one.read(key) { XCTAssertEqual(Stamp(value)?.version, latest[key]) }
      }
      XCTAssertLessThanOrEqual(usedBytes(), 20_000 + 20_000 / 8 + 4_100)
    }
  }

  func testFourThreadsNeverSeeAWrongValue() {
    let store = store(capacity: 60_000)
    let wrong = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for version in 0..<250 {
        let key = "k\(Int.random(in: 0..<8, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try? store.remove(key)
        case 1 where version % 50 == 0: try? store.removeAll()
        case 2...4:
          let length = Int.random(in: 0...5_000, using: &random)
          do {
            try store.write(Stamp(key: key, version: version).value(length: length), for: key)
          } catch {
            wrong.withLock { $0.append("\(error)") }
          }
        default:
          guard let value = store.read(key), Stamp(value)?.key != key else { continue }
          wrong.withLock { $0.append(key) }
        }
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, [])
    XCTAssertEqual(names().filter { !DiskNames.isRecord($0) }, [])
  }
}

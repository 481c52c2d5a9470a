import Foundation
import Strata
import StrataLaws
import XCTest

final class LevelStatementTests: StatementCase {
  private var directory = URL(fileURLWithPath: "/")

  override func setUp() {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  }

  override func tearDown() { try? FileManager.default.removeItem(at: directory) }

  func testTheBoundsOfMemory() throws {
    let article = "ChoosingCapacities"
    try expect(article, states: "It doesn't store a value that costs more than the whole capacity.")
    try expect(article, states: "a capacity of zero or less stores nothing")
    try expect(article, states: "a cost below one counts as one.")
    let bounded: Cache<String, String> = .memory(capacity: .bytes(3))
    _ = bounded.set("a", "four")
    XCTAssertNil(bounded.get("a").outcome?.value)
    let none: Cache<String, String> = .memory(capacity: 0)
    _ = none.set("a", "a")
    XCTAssertNil(none.get("a").outcome?.value)
    let free: Cache<Int, Int> = .memory(capacity: .cost(3) { _ in 0 })
    for key in 0..<10 { _ = free.set(key, key) }
    XCTAssertLessThanOrEqual((0..<10).compactMap { free.get($0).outcome?.value }.count, 3)
  }

  func testTheResponseToAMemoryWarning() throws {
    try expect(
      "ChoosingCapacities",
      states: "a warning clears the level, unless you choose `.trim(to: 0.5)` or `.ignore`.")
    for (response, count) in [
      (MemoryWarningResponse.clear, 0), (.trim(to: 0.5), 50), (.ignore, 100),
    ] {
      let level: Cache<Int, Int> = .memory(capacity: 100, onMemoryWarning: response)
      for key in 0..<100 { _ = level.set(key, key) }
      let before = (0..<100).compactMap { level.get($0).outcome?.value }.count
      level.memoryWarning()
      let after = (0..<100).compactMap { level.get($0).outcome?.value }.count
      XCTAssertLessThanOrEqual(after, max(count, 0))
      if count == 100 { XCTAssertEqual(after, before) }
    }
  }

  func testTheBytesOfARecord() throws {
    try expect(
      "ChoosingCapacities",
      states: "each record consists of the key, the value, and 72 additional bytes.")
    let storage = DiskStorage("pages", in: directory)
    let level: Cache<String, Data> = .disk(storage, offMainThread: false)
    XCTAssertNotNil(level.set("one", Data(count: 10)).outcome?.value)
    let before = storage.statistics.bytes
    XCTAssertNotNil(level.set("four", Data(count: 100)).outcome?.value)
    XCTAssertEqual(storage.statistics.bytes - before, 100 + 4 + 72)
  }

  func testTheLargestCapacityApplies() throws {
    try expect(
      "ChoosingCapacities",
      states: "If several live caches set different capacities, the largest applies.")
    let large = DiskStorage("pages", in: directory, capacity: 50_000_000)
    let small = DiskStorage("pages", in: directory, capacity: 10_000_000)
    XCTAssertEqual([large.capacity, small.capacity], [50_000_000, 50_000_000])
  }

  func testTheMostInformativeErrorIsThrown() throws {
    try expect("CachesThatAddUp", states: "any failure outranks a miss.")
    struct Broken: Error {}
    let broken = Cache<String, String>.failing(Broken())
    XCTAssertTrue(try ended((broken + missing).get("a")).error is Broken)
    XCTAssertTrue(try ended((missing + broken).get("a")).error is Broken)
  }

  func testAWriteReachesEveryLevel() throws {
    try expect(
      "CachesThatAddUp", states: "`set`, `removeValue(for:)`, and `removeAll()` reach every level.")
    let sum = memory + below
    _ = sum.set("a", "value")
    XCTAssertEqual([memory, below].map { $0.get("a").outcome?.value }, ["value", "value"])
    _ = sum.remove("a")
    XCTAssertEqual([memory, below].map { $0.get("a").outcome?.value }, [nil, nil])
  }

  func testThePlanPrintsAsTheExpression() throws {
    try expect("CachesThatAddUp", states: "// memory(1000) + (disk(100 MB) + fetcher).pooled()")
    let network = Fetcher<String, Data>(offMainThread: false) { _ in throw CacheError.notFound }
    let sum = .memory() + (Cache<String, Data>.disk("examples") + network).pooled()
    XCTAssertEqual(sum.plan.description, "memory(1000) + (disk(100 MB) + fetcher).pooled()")
  }

  func testACodecAroundTheSumFailsEveryGetOfADamagedRecord() throws {
    try expect(
      "CachesThatAddUp",
      states: "with a codec around the whole sum, every get of such a key would fail.")
    let stored: Cache<String, Data> = .dictionary(["a": Data("no number".utf8)])
    let origin: Cache<String, Data> = .constant(Data("1".utf8))
    let number: Codec<Data, Int> = .json()
    XCTAssertNotNil(try ended(((stored + origin) <*> number).get("a")).error)
    XCTAssertEqual(try ended((stored <*> number + origin <*> number).get("a")).get(), 1)
    XCTAssertEqual(try ended((stored <*> number).get("a")).get(), 1, "The cache heals.")
  }

  func testTwoSpellingsOfAURLAreTwoKeys() throws {
    try expect(
      "SeeingWhatACacheDoes", states: "`https://a.example` and `https://a.example/` are two keys.")
    XCTAssertNotEqual(URL(string: "https://a.example"), URL(string: "https://a.example/"))
  }

  func testTheNumberOfCasesOfALaw() throws {
    try expect("TestingWithStrataLaws", states: "the default number of cases is 400.")
    if ProcessInfo.processInfo.environment["STRATA_CASES"] == nil {
      XCTAssertEqual(LawSeed.cases, 400)
    }
  }
}

import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Each part of a cache has gauges, under the name of its level.
final class CacheGaugeTests: XCTestCase {
  private func gauges<Key, Value>(of cache: Cache<Key, Value>) -> [String] {
    cache.currentGauges.map { gauge in
      "\(gauge.stage) \(gauge.name) \(gauge.value)" + (gauge.limit.map { " of \($0)" } ?? "")
    }
  }

  func testMemoryListsItsValuesOrItsCost() {
    let counted: Cache<Int, String> = .memory(capacity: 3)
    _ = counted.set(1, "a")
    XCTAssertEqual(gauges(of: counted), ["memory values 1 of 3"])
    let measured: Cache<Int, String> = .memory(capacity: .cost(10) { $0.utf8.count })
    _ = measured.set(1, "abc")
    XCTAssertEqual(gauges(of: measured), ["memory values 1", "memory cost 3 of 10"])
  }

  func testDiskListsItsBytesAndItsWork() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("gauges-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let disk: Cache<String, Data> = .disk("a", in: directory, offMainThread: false)
    _ = disk.set("key", Data(count: 100))
    let found = gauges(of: disk.named("disk"))
    XCTAssertEqual(found.first, "disk running 0")
    XCTAssertTrue(
      found[1].hasPrefix("disk bytes ") && found[1].hasSuffix(" of 100000000"), "\(found)")
    XCTAssertEqual(found.last, "disk values 1")
  }

  func testALevelBelowARefreshIsListedOnce() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("gauges-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let disk: Cache<String, Stamped<Data>> = .disk("a", in: directory, offMainThread: false)
    let cache = disk.named("disk").refreshing(
      Freshness(for: .seconds(60)), from: .constant(Data()))
    _ = try cache.get("key").wait()
    XCTAssertEqual(gauges(of: cache).filter { $0 == "disk values 1" }.count, 1)
    XCTAssertEqual(gauges(of: cache).filter { $0.hasPrefix("disk bytes") }.count, 1)
  }

  func testALimitListsItsPermitsAndItsQueue() {
    let source = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let origin = source.cache.fetcher.limited(toConcurrentGets: 2, queue: 9).named("origin")
    let cache = Cache<Int, Int>.memory(capacity: 7).named("m") + origin.pooled()
    let gets = (0..<5).map { cache.get($0) }
    XCTAssertEqual(
      gauges(of: cache),
      [
        "m values 0 of 7", "origin running 2", "origin permits 2 of 2", "origin waiting 3 of 9",
      ])
    for get in gets { get.cancel() }
    XCTAssertEqual(gauges(of: cache).last, "origin waiting 0 of 9")
  }

  func testAnOriginListsItsRunningLoads() {
    let first = Pending<Int>()
    let origin = Fetcher<Int, Int> { _ in Promise(.pending(first)) }
    let get = origin.get(0)
    XCTAssertEqual(gauges(of: origin), ["fetcher running 1"])
    first.settle(.success(1))
    XCTAssertEqual(get.outcome?.value, 1)
    XCTAssertEqual(gauges(of: origin), ["fetcher running 0"])
  }

  func testNamesStayUnderObserversAndOtherVerbs() {
    let memory: Cache<Int, Int> = .memory(capacity: 3)
    let origin = Fetcher<Int, Int>(offMainThread: false) { $0 }
    let cache = (memory.named("m").named("other") + origin.named("o")).named("all")
      .observed(by: CacheObserver { _ in })
    _ = cache.get(1)
    XCTAssertEqual(gauges(of: { $0 } <^> cache), ["m values 1 of 3", "o running 0"])
  }

  func testALevelOfTwoCachesIsListedOnce() {
    let memory: Cache<Int, Int> = .memory(capacity: 3)
    XCTAssertEqual(gauges(of: memory + memory.observed(by: CacheObserver { _ in })).count, 1)
  }
}

import Foundation
import Strata
import StrataExplain
import StrataHTTP
import XCTest

#if canImport(ImageIO)
  import ImageIO
#endif
#if canImport(MapKit)
  import MapKit
#endif

/// Tests the transformers and levels in the migration table for Carlos, row by row.
final class FromCarlosLevelsTests: MigrationCase {
  private let text: Codec<Data, String> = .utf8
  private let length = Transformer<String, Int> { $0.count }
  private let twice = Transformer<Int, Int> { $0 * 2 }

  func testTransformers() throws {
    let counting = Transformer<String, Int> { $0.count }
    let digits: Codec<String, Int> = Codec(decode: { Int($0) ?? 0 }, encode: { "\($0)" })
    XCTAssertEqual(try now(counting("four")), 4)
    XCTAssertEqual(try now(text.inverse.decode("a")), bytes("a"))
    XCTAssertEqual(try now((length >>> twice)("four")), 8)
    XCTAssertEqual(try now((text >>> digits).decode(bytes("42"))), 42)
  }

  func testConditionsOfTransformers() {
    let some = length.conditioned { !$0.isEmpty }
    let both = text.conditioned(decoding: { $0.count < 9 }, encoding: { !$0.isEmpty })
    XCTAssertEqual(some("").outcome?.error as? CacheError, .conditionNotSatisfied)
    XCTAssertEqual(
      both.decode(Data(count: 9)).outcome?.error as? CacheError, .conditionNotSatisfied)
    XCTAssertEqual(both.encode("").outcome?.error as? CacheError, .conditionNotSatisfied)
  }

  func testCodecs() throws {
    let numbers: Codec<Data, [Int]> = .json()
    let (any, latin): (Codec<Data, JSONValue>, Codec<Data, String>) = (
      .jsonValue, .string(.isoLatin1)
    )
    let plist: Codec<Data, [String]> = .propertyList()
    XCTAssertEqual(try now(numbers.decode(bytes("[1]"))), [1])
    XCTAssertEqual(try now(any.encode("fragment")), bytes("\"fragment\""))
    XCTAssertEqual(try now(latin.encode("é")), Data([0xE9]))
    XCTAssertEqual(try now(plist.encode(["a"]).flatMap(plist.decode)), ["a"])
  }

  func testFormatters() throws {
    let (formatter, numbers) = (DateFormatter(), NumberFormatter())
    formatter.dateFormat = "yyyy"
    numbers.locale = Locale(identifier: "en_US_POSIX")
    let years: Codec<String, Date> = .date(formatter)
    let prices: Codec<String, Double> = .number(numbers)
    XCTAssertNotNil(years.decode("no year").outcome?.error)
    XCTAssertEqual(try now(prices.decode("12")), 12)
  }

  #if canImport(ImageIO)
    func testImages() {
      let codec: Codec<Data, CGImage> = .image
      XCTAssertNotNil(codec.decode(Data()).outcome?.error)
      XCTAssertTrue(CachePresets.image().plan.description.contains("image"))
    }
  #endif

  #if canImport(MapKit)
    func testDistances() throws {
      let codec: Codec<String, CLLocationDistance> = .distance(MKDistanceFormatter())
      XCTAssertNotNil(codec.encode(10_293.12).outcome?.value)
    }
  #endif

  func testLevels() throws {
    let memory: Cache<String, Data> = .memory(capacity: .bytes(1 << 20))
    let disk: Cache<String, Data> = .disk("pages", capacity: 50_000_000)
    let drafts: Cache<String, Data> = .userDefaults(suite: "drafts")
    let network: Fetcher<URL, Data> = .network()
    let pages: [CachePlan] = [memory.plan, disk.plan, drafts.plan, network.plan]
    XCTAssertEqual(
      pages.map(\.description),
      ["memory(1 MiB)", "disk(50 MB)", "userDefaults(\"drafts\")", "network"])
  }

  func testACapacityThatChanges() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = DiskStorage("pages", in: folder, capacity: 100_000_000)
    try storage.setCapacity(50_000_000)
    XCTAssertEqual(storage.capacity, 50_000_000)
  }

  func testPresets() {
    XCTAssertEqual(CachePresets.data().plan, CachePresets.sharedData.plan)
    XCTAssertEqual(CachePresets.json().plan, CachePresets.sharedJSON.plan)
    XCTAssertTrue(CachePresets.json([String].self).plan.description.contains("json"))
    for plan in [CachePresets.data().plan, CachePresets.json([String].self).plan] {
      XCTAssertEqual(plan.advice, [], "\(plan)")
    }
  }

  func testWarnings() throws {
    let (source, warn) = MemoryWarningSource.manual()
    let cache = upper + lower
    _ = cache.set("key", Data())
    let token = try cache.listenToMemoryWarnings(from: source)
    warn()
    XCTAssertNil(upper.get("key").outcome?.value)
    token.cancel()
  }

  func testAnObserverInPlaceOfALogger() {
    let lines = Journal<String>()
    let seen = upper.observed { event in lines.note("\(event.operation)") }
    _ = seen.set("key", Data())
    XCTAssertEqual(lines.entries, ["set"])
  }
}

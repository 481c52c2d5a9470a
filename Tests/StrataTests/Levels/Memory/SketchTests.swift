import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class SketchTests: XCTestCase {
  private var sketch = Sketch(entries: 100)
  private var random = SeededGenerator(seed: 5)

  override func tearDown() { sketch.deallocate() }

  private func hashes(_ count: Int) -> [UInt64] { (0..<count).map { _ in random.next() } }

  func testAHashIsCountedUpToFifteen() {
    let hash = hashes(1)[0]
    let counts = (0..<20).map { _ in sketch.add(hash, entries: 100).count(at: sketch.epoch) }
    XCTAssertEqual(counts, Array(1...15) + Array(repeating: 15, count: 5))
  }

  /// An estimate is never too low. If there are only a few keys, an estimate is rarely too high.
  func testOtherHashesAreNotCounted() {
    let all = hashes(100)
    for hash in all { for _ in 0..<3 { _ = sketch.add(hash, entries: 100) } }
    let counts = all.map { sketch.add($0, entries: 100).count(at: sketch.epoch) }
    XCTAssertTrue(counts.allSatisfy { $0 >= 4 })
    XCTAssertGreaterThan(counts.filter { $0 == 4 }.count, 95)
  }

  func testCountsAreHalvedAtTheEndOfAnEpoch() {
    let hash = hashes(1)[0]
    for _ in 0..<12 { _ = sketch.add(hash, entries: 0) }
    let before = sketch.epoch
    var others = 0
    while sketch.epoch == before, others < 20_000 {
      others += 1
      _ = sketch.add(random.next(), entries: 0)
    }
    XCTAssertEqual(sketch.epoch, before + 1)
    XCTAssertTrue((5_000...6_000).contains(others), "\(others)")
    let count = sketch.add(hash, entries: 0).count(at: sketch.epoch)
    XCTAssertTrue((7...9).contains(count), "The estimate should be 7 to 9, but is \(count).")
  }

  func testCountsSurviveTheGrowthOfTheTable() {
    let all = hashes(200)
    for hash in all { for _ in 0..<6 { _ = sketch.add(hash, entries: 100_000) } }
    for entries in stride(from: 100, through: 100_000, by: 100) { sketch.grow(entries: entries) }
    let counts = all.map { sketch.add($0, entries: 100_000).count(at: sketch.epoch) }
    XCTAssertTrue(counts.allSatisfy { $0 >= 7 }, "\(counts.min() ?? 0)")
    XCTAssertGreaterThan(counts.filter { $0 == 7 }.count, 180)
  }

  func testAnEpochEndsExactlyWhenItsLookupsAreCounted() {
    for (entries, lookups) in [(0, 5120), (256, 5120), (300, 6000)] {
      var sketch = Sketch(entries: 100)
      defer { sketch.deallocate() }
      for _ in 1..<lookups { _ = sketch.add(random.next(), entries: entries) }
      XCTAssertEqual(sketch.epoch, 1)
      _ = sketch.add(random.next(), entries: entries)
      XCTAssertEqual(sketch.epoch, 2)
    }
  }

  func testCountsSurviveAGrowthThatHasCopiedTheWholeTable() {
    let all = hashes(200)
    for hash in all { for _ in 0..<6 { _ = sketch.add(hash, entries: 1100) } }
    for _ in 0..<1000 { sketch.grow(entries: 1100) }
    let counts = all.map { sketch.add($0, entries: 1100).count(at: sketch.epoch) }
    XCTAssertTrue(counts.allSatisfy { $0 >= 7 }, "\(counts.min() ?? 0)")
    XCTAssertGreaterThan(counts.filter { $0 == 7 }.count, 180)
  }

  func testATableTakes17To34BytesForEachEntry() {
    for entries in [1024, 1025, 100_000] {
      let sketch = Sketch(entries: entries)
      defer { sketch.deallocate() }
      let bytes = Double(sketch.bytes) / Double(entries)
      XCTAssertTrue((17...34).contains(bytes), "\(bytes) for \(entries)")
    }
  }
}

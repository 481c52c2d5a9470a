import Foundation
import XCTest

@testable import strata_tool

final class HeapTests: XCTestCase {
  private final class Thing { var number = 1 }

  override func setUpWithError() throws {
    let hasOwn = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    try XCTSkipIf(hasOwn, "a sanitizer has an allocator of its own")
  }

  func testKnownAllocationsAreCountedWithTheirBytes() async throws {
    var kept: [UnsafeMutableRawPointer?] = []
    kept.reserveCapacity(10)
    let count = await Heap.count {
      for _ in 0..<10 { kept.append(malloc(1000)) }
    }
    kept.forEach { free($0) }
    guard let count else { throw XCTSkip(Heap.obstacle ?? "not counted") }
    XCTAssertNil(Heap.obstacle)
    XCTAssertTrue((10..<20).contains(count.allocations), "\(count)")
    XCTAssertTrue((10_000..<13_000).contains(count.bytes), "\(count)")
    XCTAssertTrue((10_000..<13_000).contains(count.growth), "\(count)")
  }

  func testObjectsOfTheLanguageAreCounted() async throws {
    let count = await Heap.count { for _ in 0..<100 { blackHole(Thing()) } }
    guard let count else { throw XCTSkip(Heap.obstacle ?? "not counted") }
    XCTAssertTrue((100..<110).contains(count.allocations), "\(count)")
    XCTAssertTrue((-100..<100).contains(count.growth), "\(count)")
  }

  func testNothingIsCountedAfterwards() async throws {
    _ = await Heap.count {}
    let things = (0..<100).map { _ in Thing() }
    let count = await Heap.count { blackHole(things) }
    guard let count else { throw XCTSkip(Heap.obstacle ?? "not counted") }
    XCTAssertLessThan(count.allocations, 10)
  }
}

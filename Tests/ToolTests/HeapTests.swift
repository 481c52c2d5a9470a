import Foundation
import XCTest

@testable import strata_tool

final class HeapTests: XCTestCase {
  private final class Thing { var number = 1 }

  override func setUpWithError() throws {
    let hasOwn = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    try XCTSkipIf(hasOwn, "a sanitizer has a separate allocator")
  }

  /// Measures the work 20 times, because other threads may allocate or free memory during a
  /// measurement. Keeps only the results with the fewest allocations, and returns the most frequent
  /// of these results.
  private func undisturbed(_ work: () -> Void) async throws -> HeapCount {
    var counts: [HeapCount] = []
    for _ in 0..<20 {
      guard let count = await Heap.count(work) else {
        throw XCTSkip(Heap.obstacle ?? "not counted")
      }
      counts.append(count)
    }
    let lowest = counts.map(\.allocations).min()
    counts.removeAll { $0.allocations != lowest }
    func frequency(_ count: HeapCount) -> Int { counts.count { $0 == count } }
    return try XCTUnwrap(counts.max { frequency($0) < frequency($1) })
  }

  func testKnownAllocationsAreCountedWithTheirBytes() async throws {
    var kept: [UnsafeMutableRawPointer?] = []
    kept.reserveCapacity(1000)
    let count = try await undisturbed {
      for _ in 0..<10 { kept.append(malloc(1000)) }
    }
    kept.forEach { free($0) }
    XCTAssertNil(Heap.obstacle)
    XCTAssertTrue((10..<20).contains(count.allocations), "\(count)")
    XCTAssertTrue((10_000..<13_000).contains(count.bytes), "\(count)")
    XCTAssertTrue((10_000..<13_000).contains(count.growth), "\(count)")
  }

  func testObjectsOfTheLanguageAreCounted() async throws {
    let count = try await undisturbed { for _ in 0..<100 { blackHole(Thing()) } }
    XCTAssertTrue((100..<110).contains(count.allocations), "\(count)")
    XCTAssertTrue((-100..<100).contains(count.growth), "\(count)")
  }

  func testAllocationsAfterTheMeasurementAreNotCounted() async throws {
    _ = await Heap.count {}
    let things = (0..<100).map { _ in Thing() }
    let count = try await undisturbed { blackHole(things) }
    XCTAssertLessThan(count.allocations, 10)
  }
}

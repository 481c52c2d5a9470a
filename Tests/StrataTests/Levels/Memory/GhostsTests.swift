import XCTest

@testable import StrataCore

final class GhostsTests: XCTestCase {
  private let ghosts = Ghosts(limit: 64)!

  override func tearDown() { ghosts.deallocate() }

  func testAGhostHasItsQueueAndItsEvictionsSinceAndIsFoundOnce() throws {
    ghosts.insert(7 << 40, wasMain: true, stamp: 10)
    let ghost = try XCTUnwrap(ghosts.remove(7 << 40, evictions: (window: 0, main: 15)))
    XCTAssertTrue(ghost.wasMain)
    XCTAssertEqual(ghost.evictionsSince, 5)
    XCTAssertNil(ghosts.remove(7 << 40, evictions: (window: 0, main: 15)))
  }

  func testABlockHasTheEightNewestGhosts() {
    let hashes = (0..<9).map { 7 << 40 | UInt64($0) << 1 }  // All select the same block.
    for (stamp, hash) in hashes.enumerated() {
      ghosts.insert(hash, wasMain: stamp % 2 == 0, stamp: stamp)
    }
    XCTAssertNil(ghosts.remove(hashes[0], evictions: (window: 9, main: 9)))
    for stamp in [4, 8, 1, 7, 2, 3, 6, 5] {
      let ghost = ghosts.remove(hashes[stamp], evictions: (window: 9, main: 9))
      XCTAssertEqual(ghost?.evictionsSince, 9 - stamp)
      XCTAssertEqual(ghost?.wasMain, stamp % 2 == 0)
    }
  }

  func testTheCountContinuesWhenTheStampsWrapAround() throws {
    let many = 1 << 31
    for stamp in [many - 2, many, many + 5] {
      ghosts.insert(7 << 40, wasMain: false, stamp: stamp)
      let ghost = ghosts.remove(7 << 40, evictions: (window: stamp + 3, main: 0))
      XCTAssertEqual(try XCTUnwrap(ghost).evictionsSince, 3)
    }
  }

  func testTheTableTakesElevenBytesForEachEntry() {
    defer { ZeroedMemory.largest.store(.max, ordering: .relaxed) }
    for limit in [64, 640, 64_000] {
      ZeroedMemory.largest.store(11 * limit + 64, ordering: .relaxed)  // 64 bytes for the alignment
      let table = Ghosts(limit: limit)
      XCTAssertNotNil(table, "\(limit)")
      table?.deallocate()
      ZeroedMemory.largest.store(11 * limit + 63, ordering: .relaxed)
      XCTAssertNil(Ghosts(limit: limit), "\(limit)")
    }
  }
}

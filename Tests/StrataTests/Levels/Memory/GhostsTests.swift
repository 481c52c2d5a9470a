import XCTest

@testable import Strata

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

  func testTheCountContinuesWhenTheStampsWrapAround() throws {
    let many = 1 << 31
    for stamp in [many - 2, many, many + 5] {
      ghosts.insert(7 << 40, wasMain: false, stamp: stamp)
      let ghost = ghosts.remove(7 << 40, evictions: (window: stamp + 3, main: 0))
      XCTAssertEqual(try XCTUnwrap(ghost).evictionsSince, 3)
    }
  }
}

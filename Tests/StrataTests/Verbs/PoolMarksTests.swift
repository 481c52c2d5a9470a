import XCTest

@testable import Strata

final class PoolMarksTests: XCTestCase {
  private typealias Mark = Pool<Int, Int>.Mark
  private let pool = Pool<Int, Int>()

  /// Runs a body with a mark of a hash that is not that of any other.
  private func withMark(_ hash: Int, key: Int, _ body: (UnsafeMutablePointer<Mark>) -> Void) {
    withUnsafePointer(to: key) { key in
      var mark = Mark(hash: hash, key: key)
      withUnsafeMutablePointer(to: &mark, body)
    }
  }

  func testAPlaceHasOneMarkAndGivesItBackOnce() {
    withMark(3, key: 0) { first in
      withMark(19, key: 1) { second in
        let place = pool.place(of: 3)
        XCTAssertEqual(place, pool.place(of: 19), "Hashes share a place.")
        XCTAssertTrue(pool.put(first, at: place))
        XCTAssertFalse(pool.put(second, at: place))
        XCTAssertFalse(pool.take(second, from: place))
        XCTAssertTrue(pool.take(first, from: place))
        XCTAssertFalse(pool.take(first, from: place))
      }
    }
  }

  func testAMarkThatIsPromotedIsALoadThatOthersFind() {
    withMark(3, key: 7) { mark in
      let place = pool.place(of: 3)
      XCTAssertTrue(pool.put(mark, at: place))
      pool.state.withLock { pool.promote(place, &$0) }
      XCTAssertFalse(pool.take(mark, from: place))
      let id = mark.pointee.id
      XCTAssertNotEqual(id, 0)
      XCTAssertEqual(pool.state.withLock { $0.attached[3] }, [id])
      XCTAssertEqual(pool.state.withLock { $0.loads[id]?.key }, 7)
      XCTAssertEqual(pool.attachedLoads.load(ordering: .relaxed), 1)
      withMark(3, key: 7) { XCTAssertFalse(pool.put($0, at: place), "There is a load already.") }
      withMark(19, key: 9) { XCTAssertFalse(pool.put($0, at: place), "That one was left there.") }
    }
  }

  func testAMarkThatIsDroppedIsNoLoad() {
    withMark(3, key: 7) { mark in
      let place = pool.place(of: 3)
      XCTAssertTrue(pool.put(mark, at: place))
      pool.state.withLock { pool.promote(place, &$0) { $0 == 3 } }
      XCTAssertEqual(mark.pointee.id, 0)
      XCTAssertTrue(pool.state.withLock { $0.loads.isEmpty })
      XCTAssertEqual(pool.attachedLoads.load(ordering: .relaxed), 0)
    }
  }
}

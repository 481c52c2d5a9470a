import XCTest

@testable import StrataLaws

final class CrowdTests: XCTestCase {
  /// The tasks of several crowds would delay the low-priority write of each check for longer than a
  /// law waits, so correct levels would violate `level.visibility`.
  func testOnlyOneCrowdRunsAtATime() {
    let (running, most) = (Box(0), Box(0))
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      Crowd.around { _ in
        let count = running.update { running in
          running += 1
          return running
        }
        most.update { $0 = max($0, count) }
        Patience().beat()
        running.update { $0 -= 1 }
      }
    }
    XCTAssertEqual(most.value, 1)
  }
}

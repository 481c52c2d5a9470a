#if canImport(FoundationNetworking)
  import Foundation
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  final class URLLoadingTests: XCTestCase {
    /// Each piece stays in the queue until the queue contains 64 pieces, or until all 500 pieces
    /// have been added.
    func testASessionWaitsWhileTheQueueHolds64PiecesAndContinuesWhenOneEnds() {
      let (pieces, limit) = (500, 64)
      let queue = URLLoading.makeQueue()
      let (condition, counts) = (NSCondition(), Lock((added: 0, ended: 0, most: 0)))
      let ended = expectation(description: "all pieces have ended")
      Thread.detachNewThread {
        for piece in 1...pieces {
          queue.addOperation {
            condition.withLock {
              while counts.withLock({ $0.added < min(piece - 1 + limit, pieces) }) {
                condition.wait()
              }
            }
            counts.withLock { $0.ended += 1 }
            if piece == pieces { ended.fulfill() }
          }
          condition.withLock {
            counts.withLock {
              $0.added += 1
              $0.most = max($0.most, $0.added - $0.ended)
            }
            condition.signal()
          }
        }
      }
      wait(for: [ended], timeout: 60)
      XCTAssertEqual(counts.withLock { $0.most }, limit)
    }
  }
#endif

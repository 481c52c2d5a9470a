import Foundation
import XCTest

@testable import Strata

final class NetworkQueueTests: XCTestCase {
  private let queue = NetworkQueue.make()

  func testWhatADelegateIsToldComesInItsOrderOneAtATime() {
    let journal = Journal<Int>()
    for number in 0..<200 { queue.addOperation { journal.note(number) } }
    queue.waitUntilAllOperationsAreFinished()
    XCTAssertEqual(journal.entries, Array(0..<200))
    XCTAssertEqual(queue.maxConcurrentOperationCount, 1)
  }

  #if canImport(FoundationNetworking)
    /// Else an origin that sends faster than its data is taken would fill the memory.
    func testWhoeverTellsTooMuchWaits() {
      let (told, done) = (Journal<Int>(), DispatchSemaphore(value: 0))
      let queue = queue
      queue.isSuspended = true
      Thread.detachNewThread {
        for number in 0..<70 {
          queue.addOperation {}
          told.note(number)
        }
        done.signal()
      }
      while told.count < 64 { sched_yield() }
      for _ in 0..<1_000 { sched_yield() }
      XCTAssertEqual(told.count, 64)
      queue.isSuspended = false
      done.wait()
      XCTAssertEqual(told.count, 70)
      queue.waitUntilAllOperationsAreFinished()
    }
  #endif
}

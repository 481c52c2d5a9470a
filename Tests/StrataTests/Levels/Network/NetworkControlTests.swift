import Dispatch
import Synchronization
import XCTest

@testable import Strata

/// How many threads wait for sessions.
final class NetworkControlTests: XCTestCase {
  private final class Count: Sendable {
    let running = Atomic(0)
    let most = Atomic(0)
  }

  /// With more, all the threads that dispatch has might wait for sessions that have none left.
  func testNoMoreThanSixteenWaitAtOnceHoweverManyTransfersThereAre() {
    let (count, all) = (Count(), DispatchGroup())
    let (opened, isOpen) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let queues = (0..<300).map { _ in NetworkControl.make() }
    for queue in queues {
      queue.async(group: all) {
        let running = count.running.add(1, ordering: .sequentiallyConsistent).newValue
        count.most.max(running, ordering: .sequentiallyConsistent)
        if running == NetworkControl.width { opened.signal() }
        isOpen.wait()
        isOpen.signal()
        count.running.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    XCTAssertEqual(opened.wait(timeout: .now() + 20), .success)
    isOpen.signal()
    XCTAssertEqual(all.wait(timeout: .now() + 20), .success)
    XCTAssertEqual(count.most.load(ordering: .sequentiallyConsistent), NetworkControl.width)
  }
}

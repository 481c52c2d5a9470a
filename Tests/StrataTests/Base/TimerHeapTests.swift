import XCTest

@testable import StrataCore

final class TimerHeapTests: XCTestCase {
  func testTimersEndInTheOrderOfTheirTimesWithoutTheCancelledOnes() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var heap = TimerHeap()
      let ran = Journal<Int>()
      var expected: [(due: Int64, number: Int)] = []
      var timers: [TimerHeap.Timer] = []
      for number in 0..<Int.random(in: 1...40, using: &random) {
        let due = Int64.random(in: 0..<20, using: &random)
        timers.append(heap.add(due: due) { ran.note(number) })
        expected.append((due, number))
      }
      for number in timers.indices.shuffled(using: &random).prefix(timers.count / 3) {
        XCTAssertNotNil(heap.cancel(timers[number]))
        XCTAssertNil(heap.cancel(timers[number]))
        expected.removeAll { $0.number == number }
      }
      for now in Int64(0)..<20 {
        XCTAssertEqual(heap.first, expected.map(\.due).filter { $0 >= now }.min())
        while let work = heap.next(by: now) { work() }
      }
      XCTAssertTrue(heap.isEmpty)
      XCTAssertEqual(ran.entries, expected.sorted { $0 < $1 }.map(\.number))
    }
  }

  func testTheEarliestTimerHasTheIndexZero() {
    var heap = TimerHeap()
    let late = heap.add(due: 9) {}
    XCTAssertEqual(late.index, 0)
    let early = heap.add(due: 3) {}
    XCTAssertEqual(early.index, 0)
    XCTAssertNil(heap.next(by: 2))
    XCTAssertNotNil(heap.next(by: 3))
    XCTAssertEqual(late.index, 0)
  }
}

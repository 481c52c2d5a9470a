import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class TrampolineTests: XCTestCase {
  func testAJobRunsImmediatelyAndItsJobsAfterIt() {
    let journal = Journal<String>()
    Trampoline.run {
      Trampoline.run {
        journal.note("inner")
        Trampoline.run { journal.note("innermost") }
      }
      Trampoline.run { journal.note("second") }
      journal.note("outer")
    }
    XCTAssertEqual(journal.entries, ["outer", "inner", "second", "innermost"])
  }

  func testDrainingInsideAJobRunsTheQueueOfThisThread() {
    let journal = Journal<String>()
    Trampoline.run {
      Trampoline.run { journal.note("queued") }
      Trampoline.drain()
      journal.note("drained")
      Trampoline.run { journal.note("last") }
    }
    XCTAssertEqual(journal.entries, ["queued", "drained", "last"])
  }

  func testTheReleaseOfAJobMayQueueAnother() {
    final class OnRelease: Sendable {
      let journal: Journal<String>
      init(_ journal: Journal<String>) { self.journal = journal }
      deinit { Trampoline.run { [journal] in journal.note("released") } }
    }
    let journal = Journal<String>()
    func job() -> () -> Void {
      let token = OnRelease(journal)
      return { withExtendedLifetime(token) { journal.note("job") } }
    }
    Trampoline.run(job())
    XCTAssertEqual(journal.entries, ["job", "released"])
  }

  func testThreadsHaveQueuesOfTheirOwn() {
    let journal = Journal<String>()
    Trampoline.run {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Trampoline.run { journal.note("other thread") }
        done.signal()
      }
      done.wait()
      journal.note("this thread")
    }
    XCTAssertEqual(journal.entries, ["other thread", "this thread"])
  }

  func testManyQueuedJobsRunInOrderAndAreReleased() {
    final class Token: Sendable {}
    weak var weakToken: Token?
    let journal = Journal<Int>()
    do {
      let token = Token()
      weakToken = token
      Trampoline.run {
        for number in 0..<5_000 {
          Trampoline.run { withExtendedLifetime(token) { journal.note(number) } }
        }
      }
    }
    XCTAssertEqual(journal.entries, Array(0..<5_000))
    XCTAssertNil(weakToken)
  }

  /// Runs more and more jobs on a thread. If the thread's queue retained memory of finished jobs,
  /// each round would need more memory than all earlier rounds together.
  func testFinishedJobsLeaveNoMemoryInUse() {
    let growth = onSmallStack { () -> Int? in
      Trampoline.run {}
      var lowest = Int.max
      for round in 0..<3 {
        guard let before = Memory.givenOut else { return nil }
        for _ in 0..<1_000 << (2 * round) { Trampoline.run {} }
        lowest = min(lowest, (Memory.givenOut ?? before) - before)
      }
      return lowest
    }
    // Other threads may allocate a little during a round.
    XCTAssertLessThan(growth ?? 0, 8_000)
  }

  func testManyJobsInAChainUseNoStack() {
    let count = onSmallStack { () -> Int in
      final class Counter { var value = 0 }
      let counter = Counter()
      func step() {
        counter.value += 1
        if counter.value < 300_000 { Trampoline.run(step) }
      }
      Trampoline.run(step)
      return counter.value
    }
    XCTAssertEqual(count, 300_000)
  }
}

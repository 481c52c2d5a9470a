import Foundation
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests of races. Each test runs two closures on two threads at the same time, in many rounds, and
/// prints the counts of the outcomes.
final class RaceTests: XCTestCase {
  private static let rounds = Extent.rounds(3_000, full: 100_000)

  private struct Round: Sendable {
    let work = Later<Int>()
    let heard = Journal<String>()
  }

  func testNoCallbackIsLostWhenSettlingMeetsListening() {
    var lost = 0
    race(
      rounds: Self.rounds, { _ in Round() }, { $0.work.continuation.succeed(1) },
      { round in
        for place in 0..<3 {
          round.work.promise.onCompletion { round.heard.note("\(place) \($0.text)") }
        }
        round.work.promise.map { $0 + 1 }.observed { round.heard.note("mapped \($0.text)") }
      },
      check: { _, round in
        if round.heard.entries.sorted() != ["0 1", "1 1", "2 1", "mapped 2"] { lost += 1 }
      })
    print("settle against listen: \(Self.rounds) rounds, \(lost) with a callback lost")
    XCTAssertEqual(lost, 0)
  }

  func testOneEndWinsWhenCancellingMeetsSettling() {
    var (kept, broken) = (0, 0)
    race(
      rounds: Self.rounds,
      { round -> (work: Later<Int>, victim: Promise<Int>, heard: Journal<String>) in
        let heard = Journal<String>()
        let work = Later<Int>("work", in: heard)
        let derived = work.promise.map { $0 }
        derived.onCompletion { heard.note($0.text) }
        return (work: work, victim: round % 2 == 0 ? derived : work.promise, heard: heard)
      }, { $0.work.continuation.succeed(1) }, { $0.victim.cancel() },
      check: { _, round in
        switch round.heard.entries.sorted() {
        case ["1"]: kept += 1
        case ["cancelled"], ["cancelled", "work stopped"]: break
        default: broken += 1
        }
      })
    print("cancel against settle: \(Self.rounds) rounds, \(kept) kept, \(broken) broken")
    XCTAssertEqual(broken, 0)
  }

  func testConcurrentWithdrawalsStopTheWorkOnce() {
    var broken = 0
    race(
      rounds: Self.rounds,
      {
        _ -> (
          work: Later<Int>, one: Promise<Int>, other: Promise<[Int]>, heard: Journal<String>
        ) in
        let heard = Journal<String>()
        let work = Later<Int>("work", in: heard)
        let (one, other) = (work.promise.map { $0 }, Promise.all([work.promise, work.promise]))
        return (work: work, one: one, other: other, heard: heard)
      }, { $0.one.cancel() }, { $0.other.cancel() },
      check: { _, round in if round.heard.entries != ["work stopped"] { broken += 1 } })
    XCTAssertEqual(broken, 0)
  }

  func testJoiningAPoolDuringTheLastWithdrawalSucceeds() throws {
    let begun = Journal<Promise<Int>.Continuation>()
    let cache = Cache<Int, Int>(
      get: { _ -> Promise<Int> in
        Promise { (continuation: Promise<Int>.Continuation) in begun.note(continuation) }
      }, set: { _, _ in Promise() }
    ).pooled()
    var (shared, hung) = (0, 0)
    race(
      rounds: Self.rounds,
      { round in (key: round, one: cache.get(round), other: Lock<Promise<Int>?>(nil)) },
      { $0.one.cancel() },
      { round in
        let other = cache.get(round.key)
        round.other.withLock { $0 = other }
      },
      check: { _, round in
        let other = round.other.withLock { $0! }
        let loads = begun.drain()
        if loads.count == 1 { shared += 1 }
        for load in loads { load.succeed(round.key) }
        if other.text != "\(round.key)" || round.one.text != "cancelled" { hung += 1 }
      })
    print("join against withdraw: \(Self.rounds) rounds, \(shared) shared, \(hung) turned away")
    XCTAssertEqual(hung, 0)
  }

  func testAnAwaitThatIsCancelledWhileThePromiseSettlesIsResumedOnce() async {
    var (kept, broken) = (0, 0)
    for _ in 0..<Self.rounds {
      let work = Later<Int>()
      let task = Task { try await work.promise.value }
      if kept % 2 == 0 { while work.promise.interests == 0 { await Task.yield() } }
      async let settling: Void = { _ = work.continuation.succeed(1) }()
      task.cancel()
      await settling
      switch await task.result {
      case .success(1): kept += 1
      case .failure(let error) where error is CancellationError: break
      default: broken += 1
      }
      XCTAssertNotEqual(work.promise.text, "pending")
    }
    print("cancelled await against settle: \(Self.rounds) rounds, \(kept) kept, \(broken) broken")
    XCTAssertEqual(broken, 0)
  }

  func testManyListenersOfManyThreadsAreAllCalled() {
    let count = Extent.rounds(2_000, full: 100_000)
    let work = Later<Int>()
    let heard = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<count {
        if thread == 0, number == count / 2 { work.continuation.succeed(1) }
        work.promise.onSuccess { heard.add($0, ordering: .relaxed) }
        if number % 3 == 0 { work.promise.map { $0 }.cancel() }
      }
    }
    XCTAssertEqual(heard.load(ordering: .relaxed), 4 * count)
  }
}

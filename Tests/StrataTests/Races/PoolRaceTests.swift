import Dispatch
import StrataLaws
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PoolRaceTests: XCTestCase {
  func testNoGetJoinsALoadThatAWriteHasOvertaken() {  // T63
    let origin = Lock(0)
    let loads = SlowLoads { origin.withLock { $0 } }
    let cache = loads.fetcher.pooled()
    let writes: [@Sendable () -> Promise<Void>] = [
      { cache.set(0, 0) }, { cache.remove(0) }, { cache.clear() },
    ]
    let getting = DispatchQueue(label: "gets")
    var stale: [Int] = []
    for round in 1...Extent.rounds(2_000, full: 100_000) {
      let early = Lock<[Promise<Int>]>([])
      getting.async {
        for _ in 0..<3 {
          let get = cache.get(0)
          early.withLock { $0.append(get) }
        }
      }
      origin.withLock { $0 = round }
      _ = writes[round % 3]()
      let late = cache.get(0)
      getting.sync {}
      loads.answer()
      if late.outcome?.value != round { stale.append(round) }
      XCTAssertTrue(early.withLock { $0 }.allSatisfy { $0.outcome?.value != nil })
    }
    XCTAssertEqual(stale, [])
  }

  func testCancelAgainstJoinNeverCancelsTheNewcomerAndNeverHangs() {
    let loads = SlowLoads { 7 }
    let cache = loads.fetcher.pooled()
    let leaving = DispatchQueue(label: "leaving")
    var lost: [String] = []
    for round in 0..<Extent.rounds(2_000, full: 100_000) {
      let first = cache.get(0)
      leaving.async { first.cancel() }
      for _ in 0..<(round % 32) { _ = first.outcome }
      let newcomer = cache.get(0)
      leaving.sync {}
      loads.answer()
      if newcomer.answer != "7" { lost.append("\(round): \(newcomer.answer)") }
    }
    XCTAssertEqual(lost, [])
  }

  func testGetsThatMeetOnSeveralThreadsShareOneLoad() {
    let loads = SlowLoads { 7 }
    let cache = loads.fetcher.pooled()
    let threads = 4
    for round in 1...Extent.rounds(2_000, full: 100_000) {
      let ready = Atomic(0)
      let gets = Lock<[Promise<Int>]>([])
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        ready.add(1, ordering: .sequentiallyConsistent)
        for _ in 0..<1_000 where ready.load(ordering: .sequentiallyConsistent) < threads {}
        let mine = (0..<3).map { _ in cache.get(0) }
        gets.withLock { $0 += mine }
      }
      loads.answer()
      XCTAssertEqual(Set(gets.withLock { $0 }.map(\.answer)), ["7"])
      guard loads.begun == round else { return XCTFail("round \(round): \(loads.begun) loads") }
    }
  }

  func testAStormOfCancellationsLeavesTheSurvivorItsAnswer() {
    let loads = SlowLoads { 7 }
    let cache = loads.fetcher.pooled()
    let count = Extent.rounds(1_000, full: 10_000)
    let gets = (0..<count).map { _ in cache.get(0) }
    let survivor = Int(LawSeed.value % UInt64(count))
    DispatchQueue.concurrentPerform(iterations: 4) { part in
      for place in stride(from: part, to: count, by: 4) where place != survivor {
        gets[place].cancel()
      }
    }
    XCTAssertEqual(loads.begun, 1)
    loads.answer()
    XCTAssertEqual(gets[survivor].answer, "7")
    let others = (0..<count).map { _ in cache.get(0) }
    for get in others { get.cancel() }
    XCTAssertEqual(loads.cancelled, 1)
    XCTAssertEqual(Set(others.map(\.answer)), ["cancelled"])
  }
}

/// An origin whose loads read a value when they begin, but settle only when the test settles them.
private final class SlowLoads: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var begun = 0
    var cancelled = 0
  }

  private let state = Lock(State())
  private let read: @Sendable () -> Int

  init(_ read: @escaping @Sendable () -> Int) { self.read = read }

  var begun: Int { state.withLock { $0.begun } }
  var cancelled: Int { state.withLock { $0.cancelled } }

  func answer() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for answer in waiting { answer() }
  }

  var fetcher: Fetcher<Int, Int> {
    Fetcher { _ in
      let value = self.read()
      return Promise { continuation in
        continuation.onCancel { self.state.withLock { $0.cancelled += 1 } }
        self.state.withLock { state in
          state.begun += 1
          state.waiting.append { continuation.succeed(value) }
        }
      }
    }
  }
}

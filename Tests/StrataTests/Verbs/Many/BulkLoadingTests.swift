import StrataLaws
import Dispatch
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BulkLoadingTests: XCTestCase {
  private let calls = Journal<[Int]>()

  /// A bulk loader that has values for even numbers.
  private func loader(
    _ limit: Int = .max, on time: TimeSource, answering answer: Later<[Int: Int]>? = nil
  ) -> Fetcher<Int, Int> {
    .bulkLoading(window: .milliseconds(5), limit: limit, clock: time) { [calls] keys in
      calls.note(keys)
      let even = keys.filter { $0.isMultiple(of: 2) }
      let found = Dictionary(uniqueKeysWithValues: even.map { ($0, $0 * 10) })
      return answer?.promise ?? Promise(found)
    }
  }

  func testTheGetsOfAWindowAreOneCallAndEachHasItsAnswer() {
    let (time, clock) = TimeSource.manual()
    let fetcher = loader(on: time)
    let gets = [4, 1, 2, 4].map { fetcher.get($0) }
    clock.advance(by: .milliseconds(5))
    XCTAssertEqual(calls.entries, [[4, 1, 2]])
    XCTAssertEqual(gets.map(\.answer), ["40", "not found", "20", "40"])
  }

  func testAFullCallBeginsImmediatelyAndEndsItsWindow() {
    let (time, clock) = TimeSource.manual()
    let fetcher = loader(2, on: time)
    let gets = [2, 4, 6].map { fetcher.get($0) }
    XCTAssertEqual(calls.entries, [[2, 4]])
    XCTAssertEqual(gets.map(\.answer), ["20", "40", "no answer"])
    XCTAssertEqual(clock.waiting, 1)
    clock.advance(by: .milliseconds(5))
    XCTAssertEqual(calls.entries, [[2, 4], [6]])
  }

  func testAWindowThatBeginsAfterItsCallHasBegunHasNoTimer() {
    let (time, clock) = TimeSource.manual()
    let meanwhile = Lock<(@Sendable () -> Void)?>(nil)
    let gets = Journal<Promise<Int>>()
    let slow = TimeSource(now: time.now) { delay, work in
      let cancel = time.after(delay, work)
      meanwhile.withLock { $0.take() }?()
      return cancel
    }
    let fetcher = loader(2, on: slow)
    meanwhile.withLock { $0 = { gets.note(fetcher.get(4)) } }
    gets.note(fetcher.get(2))
    XCTAssertEqual(calls.entries, [[2, 4]])
    XCTAssertEqual(gets.entries.map(\.answer), ["40", "20"])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testAFailureOfACallFailsExactlyItsGets() {
    let (time, clock) = TimeSource.manual()
    let fetcher = Fetcher<Int, Int>.bulkLoading(window: .zero, clock: time) { keys in
      keys.contains(1) ? Promise<[Int: Int]>(error: Broken.here) : Promise([2: 20])
    }
    let gets = [fetcher.get(1), fetcher.get(2)]
    clock.advance(by: .zero)
    let later = fetcher.get(2)
    clock.advance(by: .zero)
    XCTAssertEqual((gets + [later]).map(\.answer), ["Broken.here", "Broken.here", "20"])
  }

  func testAKeyMayFailByItself() {
    let (time, clock) = TimeSource.manual()
    let fetcher = Fetcher<Int, Int>.bulkLoading(window: .zero, clock: time) { keys in
      Promise<[Int: Result<Int, any Error>]>([1: .failure(Broken.here), 2: .success(20)])
    }
    let gets = [1, 2, 3].map { fetcher.get($0) }
    clock.advance(by: .zero)
    XCTAssertEqual(gets.map(\.answer), ["Broken.here", "20", "not found"])
  }

  func testAGetThatIsCancelledBeforeTheCallIsNotInIt() {
    let (time, clock) = TimeSource.manual()
    let fetcher = loader(on: time)
    let gets = [2, 4].map { fetcher.get($0) }
    gets[0].cancel()
    clock.advance(by: .milliseconds(5))
    XCTAssertEqual(calls.entries, [[4]])
    XCTAssertEqual(gets.map(\.answer), ["cancelled", "40"])
  }

  func testIfAllGetsAreCancelledThereIsNoCallAndNoTimer() {
    let (time, clock) = TimeSource.manual()
    let fetcher = loader(on: time)
    for get in [2, 4].map({ fetcher.get($0) }) { get.cancel() }
    XCTAssertEqual(clock.waiting, 0)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(calls.entries, [])
  }

  func testTheCallIsCancelledWithItsLastGet() {
    let (time, clock) = TimeSource.manual()
    let journal = Journal<String>()
    let fetcher = loader(on: time, answering: Later("call", in: journal))
    let gets = [2, 4].map { fetcher.get($0) }
    clock.advance(by: .milliseconds(5))
    gets[0].cancel()
    XCTAssertEqual(journal.entries, [])
    gets[1].cancel()
    XCTAssertEqual(journal.entries, ["call stopped"])
  }

  func testAGetAfterTheBeginningOfACallJoinsTheNext() {
    let (time, clock) = TimeSource.manual()
    let answer = Later<[Int: Int]>()
    let fetcher = loader(on: time, answering: answer)
    let early = fetcher.get(2)
    clock.advance(by: .milliseconds(5))
    let late = fetcher.get(2)
    answer.continuation.succeed([2: 20])
    XCTAssertEqual([early.answer, late.answer], ["20", "no answer"])
    clock.advance(by: .milliseconds(5))
    XCTAssertEqual(calls.entries, [[2], [2]])
  }

  func testAnAsyncLoaderIsOneToo() async throws {
    let fetcher = Fetcher<Int, Int>.bulkLoading(window: .milliseconds(1), limit: 2) { keys in
      await Task.yield()
      return Dictionary(uniqueKeysWithValues: keys.map { ($0, $0 * 10) })
    }
    let gets = [fetcher.get(1), fetcher.get(2)]
    let values = [try await gets[0].value, try await gets[1].value]
    XCTAssertEqual(values, [10, 20])
    XCTAssertEqual(fetcher.plan.description, "fetcher.bulkLoading()")
  }

  func testThreadsLoseNoGet() {
    let asked = Lock<[Int]>([])
    let fetcher = Fetcher<Int, Int>.bulkLoading(window: .microseconds(50), limit: 7) { keys in
      asked.withLock { $0 += keys }
      return Promise(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) }))
    }
    let gets = Lock<[Promise<Int>]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for key in 0..<500 {
        let get = fetcher.get(thread * 500 + key)
        gets.withLock { $0.append(get) }
        if key % 5 == 0 { get.cancel() }
      }
    }
    let all = gets.withLock { $0 }
    for get in all { _ = try? get.wait(for: .seconds(60)) }
    XCTAssertEqual(all.filter { $0.outcome == nil }.count, 0)
    XCTAssertEqual(Set(asked.withLock { $0 }).count, asked.withLock { $0.count })
    XCTAssertGreaterThanOrEqual(all.compactMap(\.outcome?.value).count, 1_600)
  }

  func testNoCallHasMoreKeysThanTheLimitWithManyThreads() {
    let sizes = Lock<Set<Int>>([])
    let fetcher = Fetcher<Int, Int>.bulkLoading(window: .seconds(60), limit: 2) { keys in
      sizes.withLock { _ = $0.insert(keys.count) }
      return Promise(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) }))
    }
    let gets = Lock<[Promise<Int>]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let mine = (0..<2_500).map { fetcher.get(thread * 2_500 + $0) }
      gets.withLock { $0 += mine }
    }
    XCTAssertEqual(sizes.withLock { $0 }, [2])
    XCTAssertTrue(gets.withLock { $0 }.allSatisfy { $0.outcome?.value != nil })
  }
}

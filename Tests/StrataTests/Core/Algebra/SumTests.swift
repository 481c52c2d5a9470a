import Dispatch
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class SumTests: XCTestCase {
  func testAGetThatMissesWhileAWriteArrivesDoesNotFillOverIt() {
    let (began, looked, stored) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let held = Lock<Int?>(nil)
    let upper = Cache<Int, Int>(
      get: { _ throws -> Int in
        if let value = held.withLock({ $0 }) { return value }
        looked.signal()
        stored.wait()
        throw CacheError.notFound
      },
      set: { _, value in
        if value == 2 {
          began.signal()
          looked.wait()
        }
        held.withLock { $0 = value }
      })
    let cache = upper + Fetcher(offMainThread: false) { _ in 1 }
    DispatchQueue.global().async {
      _ = cache.set(0, 2)
      stored.signal()
    }
    began.wait()
    XCTAssertEqual(cache.get(0).answer, "1", "The get began before the write settled.")
    XCTAssertEqual(cache.get(0).answer, "2")
  }

  func testAReadyAnswerDoesNotReplaceTheOneThatALaterGetHasFound() {
    let (upper, calls) = (ScriptedLevel(0, LevelScript()), Lock(0))
    let sum = Lock(Cache<Int, Int>.empty)
    let lower = Fetcher<Int, Int>(offMainThread: false) { key in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      // The first get has read its value when the second get begins.
      if call == 1 { XCTAssertEqual(sum.withLock { $0 }.get(key).answer, "2") }
      return call
    }
    let cache = upper.cache + lower
    sum.withLock { $0 = cache }
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(upper.rest.contents[0], 2)
  }

  func testAWriteWithinAReadyAnswerWinsOverIt() {
    let (upper, sum) = (ScriptedLevel(0, LevelScript()), Lock(Cache<Int, Int>.empty))
    let lower = Fetcher<Int, Int>(offMainThread: false) { key in
      _ = sum.withLock { $0 }.set(key, 7)
      return 1
    }
    let cache = upper.cache + lower
    sum.withLock { $0 = cache }
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(upper.rest.contents[0], 7)
  }

  func testAWriteWithinAWriteOrABackFillReachesTheLevelAfterIt() {
    let (sets, sum) = (Lock<[Int]>([]), Lock(Cache<Int, Int>.empty))
    let upper = Cache<Int, Int>(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { key, value in
        if value == 1 { _ = sum.withLock { $0 }.set(key, 2) }
        sets.withLock { $0.append(value) }
        return Promise()
      })
    let cache = upper + Fetcher(offMainThread: false) { _ in 1 }
    sum.withLock { $0 = cache }
    defer { sum.withLock { $0 = .empty } }
    XCTAssertEqual(cache.set(0, 1).answer, "()")
    XCTAssertEqual(sets.withLock { $0 }, [1, 2])
    XCTAssertEqual(cache.get(0).answer, "1")
    XCTAssertEqual(sets.withLock { $0 }, [1, 2, 1, 2])
  }

  func testAGetReturnsAnAnswerThatALevelHasEvenInACallbackOfTheAnswer() {
    for isUpper in [true, false] {
      let (found, answers) = (Pending<Int>(), Journal<String>())
      let level = Cache<Int, Int>(
        get: { _ in Promise(.pending(found)) }, set: { _, _ in Promise() })
      let cache = isUpper ? level + .dictionary() : .dictionary() + level
      Promise<Int>(.pending(found)).observed { _ in answers.note(cache.get(0).text) }
      found.settle(.success(5))
      XCTAssertEqual(answers.entries, ["5"])
    }
  }

  func testAGetDoesNotWaitForTheBackFillsOfOtherGets() {
    let upper = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 5], hasSlowGets: true))
    let cache = upper.cache + lower.cache
    let (first, second) = (cache.get(0), cache.get(0))
    lower.settle(0)
    lower.settle(0)
    XCTAssertEqual(first.answer, "5")
    XCTAssertEqual(second.answer, "5")
    XCTAssertEqual(cache.get(0).answer, "5")
    upper.settle(0)
    XCTAssertEqual(upper.events, ["get 0", "get 0", "set 0 5", "get 0"])
  }

  func testAWriteWaitsForOneBackFillHoweverManyGetsFoundTheValue() {
    let (sets, waiting) = (Lock<[Int]>([]), Lock<[Pending<Void>]>([]))
    let upper = Cache<Int, Int>(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { _, value in
        sets.withLock { $0.append(value) }
        let end = Pending<Void>()
        waiting.withLock { $0.append(end) }
        return Promise(.pending(end))
      })
    let cache = upper + Fetcher(offMainThread: false) { $0 + 5 }
    for _ in 0..<100 { XCTAssertEqual(cache.get(0).answer, "5") }
    let written = cache.set(0, 7)
    for end in waiting.withLock({ $0 }) { end.settle(.success(())) }
    XCTAssertEqual(sets.withLock { $0 }, [5, 7])
    for end in waiting.withLock({ $0 }) { end.settle(.success(())) }
    XCTAssertEqual(written.answer, "()")
    _ = cache.get(0)
    XCTAssertEqual(sets.withLock { $0 }, [5, 7, 5], "The next get should begin a new back-fill.")
  }

  func testGetsAndWritesThatWaitKeepTheirOrder() {
    let upper = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let cache = upper.cache + Fetcher(offMainThread: false) { _ in throw CacheError.notFound }
    _ = cache.set(0, 1)
    _ = cache.set(0, 2)
    let read = cache.get(0)
    _ = cache.set(0, 3)
    for _ in 0..<3 { upper.settle(0) }
    XCTAssertEqual(read.answer, "2")
    XCTAssertEqual(upper.events, ["set 0 1", "set 0 2", "get 0", "set 0 3"])
  }

  func testAGetInFlightDoesNotRestoreARemovedClearedOrReplacedValue() {  // T63
    for step in [Step.Action.remove(0), .clear, .set(0, 9)] {
      let upper = ScriptedLevel(0, LevelScript())
      let lower = ScriptedLevel(1, LevelScript(contents: [0: 5], hasSlowGets: true))
      let cache = upper.cache + lower.cache
      let get = cache.get(0)
      switch step {
      case .remove(let key): _ = cache.remove(key)
      case .set(let key, let value): _ = cache.set(key, value)
      default: _ = cache.clear()
      }
      lower.settle(0)
      XCTAssertEqual(get.answer, "5", "The get began before the write, so it should return 5.")
      XCTAssertEqual(upper.rest.contents, step == .set(0, 9) ? [0: 9] : [:])
    }
  }

  func testAValueInTheUpperLevelIsAlreadyInTheLowerLevel() {
    // Suppose that the upper level stored a value before the lower level did, and then evicted the
    // value. A get would then return an older value from the lower level.
    let lower = ScriptedLevel(1, LevelScript(contents: [0: 4]))
    let seen = Lock<[[Int: Int]]>([])
    let upper = Cache<Int, Int>(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { _, _ in
        seen.withLock { $0.append(lower.rest.contents) }
        return Promise()
      },
      remove: { _ in
        seen.withLock { $0.append(lower.rest.contents) }
        return Promise()
      })
    let cache = upper + lower.cache
    _ = cache.set(0, 5)
    _ = cache.remove(0)
    XCTAssertEqual(seen.withLock { $0 }, [[0: 5], [:]])
  }

  func testACancelledWriteRunsToItsEnd() {
    let levels = (0..<2).map { ScriptedLevel($0, LevelScript(hasSlowWrites: true)) }
    let cache = levels[0].cache + levels[1].cache
    _ = cache.get(0)
    let (first, second) = (cache.set(0, 1), cache.set(0, 2))
    first.cancel()
    second.cancel()
    for _ in 0..<2 { for level in levels { level.settle(0) } }
    XCTAssertEqual([first.answer, second.answer], ["cancelled", "cancelled"])
    XCTAssertEqual(levels.map(\.rest.contents), [[0: 2], [0: 2]])
  }

  func testManyWritesOfOtherKeysDuringASlowGetPreventNoBackFill() {
    // The upper level blocks its caller while other keys are written.
    let other = Lock<(@Sendable () -> Void)?>(nil)
    let upper = ScriptedLevel(0, LevelScript())
    let looking = Cache<Int, Int>(
      get: { key in
        if key == 0 { other.withLock { $0 }?() }
        return upper.cache.get(key)
      }, set: upper.cache.set)
    let cache = looking + Fetcher(offMainThread: false) { $0 + 5 }
    other.withLock {
      $0 = {
        for key in 1...300 { _ = cache.set(key, 0) }
      }
    }
    XCTAssertEqual(cache.get(0).answer, "5")
    XCTAssertEqual(upper.rest.contents[0], 5)
  }

  func testACancelledGetBehindAWriteLeavesNothingBehind() {
    let (order, level) = (SumOrder(levels: 2), Cache<Int, Int>.dictionary())
    let inside = Lock<(@Sendable () -> Void)?>(nil)
    let calling = level.transforming(.verb(level.plan, "calling")) { cache, _ in
      var operations = cache.operations
      operations.set = { key, value in
        inside.withLock { $0.take() }?()
        return cache.set(key, value)
      }
      return operations
    }
    let sum = Sum([CacheMetadata.Member(calling)], order: order, clock: .system, reporter: nil)
    let (gets, parked) = (Lock<[Promise<Int>]>([]), Lock<Promise<Void>?>(nil))
    inside.withLock { body in
      body = {
        let write = sum.write(0) { cache, _ in cache.set(0, 2) }
        parked.withLock { $0 = write }
        for _ in 0..<2 {
          let get = sum.get(0)
          gets.withLock { $0.append(get) }
        }
        XCTAssertEqual(order.waitingGets, 2)
        gets.withLock { $0[0] }.cancel()
        XCTAssertEqual(order.waitingGets, 1, "A cancelled get no longer waits for the write.")
      }
    }
    XCTAssertEqual(sum.write(0) { cache, _ in cache.set(0, 1) }.answer, "()")
    XCTAssertEqual(gets.withLock { $0.map(\.answer) }, ["cancelled", "2"])
    XCTAssertEqual(parked.withLock { $0?.answer }, "()")
  }
}

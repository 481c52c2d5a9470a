import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PooledTests: XCTestCase {
  private let source = ScriptedLevel(0, LevelScript(contents: [0: 1, 1: 2], hasSlowGets: true))
  private lazy var cache = source.cache.pooled()

  func testGetsOfOneKeyShareOneLoad() {  // T32
    let gets = (0..<5).map { _ in cache.get(0) }
    source.settle(0)
    XCTAssertEqual(gets.map(\.answer), Array(repeating: "1", count: 5))
    XCTAssertEqual(source.events, ["get 0"])
  }

  func testAFailureIsSharedAndNotRemembered() {  // T33
    let broken = ScriptedLevel(0, LevelScript(getFaults: [0: .failure], hasSlowGets: true))
    let cache = broken.cache.pooled()
    let error = Promise<Int>(error: ScriptError(level: 0, key: 0, isMiss: false)).answer
    for _ in 0..<2 {
      let gets = [cache.get(0), cache.get(0)]
      broken.settle(0)
      XCTAssertEqual(gets.map(\.answer), [error, error])
    }
    XCTAssertEqual(broken.events, ["get 0", "get 0"])
  }

  func testAGetAfterTheAnswerLoadsAgain() {  // T34
    for _ in 0..<2 {
      let get = cache.get(0)
      source.settle(0)
      XCTAssertEqual(get.answer, "1")
    }
    XCTAssertEqual(source.events, ["get 0", "get 0"])
  }

  func testKeysAreIndependent() {  // T35
    let gets = [cache.get(0), cache.get(1)]
    source.settle(1)
    XCTAssertEqual(gets.map(\.answer), ["no answer", "2"])
    source.settle(0)
    XCTAssertEqual(gets.map(\.answer), ["1", "2"])
  }

  func testKeysOfOneHashAreIndependent() {
    struct Key: Hashable {
      let name: String
      func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }
    let slow = ({ (key: Key) in key.name.count } <^> source.cache).pooled()
    let gets = [slow.get(Key(name: "")), slow.get(Key(name: "1")), slow.get(Key(name: ""))]
    XCTAssertEqual(source.events, ["get 0", "get 1"])
    while source.settle(0) {}
    XCTAssertEqual(gets.map(\.answer), ["1", "2", "1"])
  }

  func testWritesAreNeverMerged() {  // T36
    for _ in 0..<3 {
      _ = cache.set(0, 5)
      _ = cache.clear()
      cache.memoryWarning()
    }
    let round = ["set 0 5", "clear", "warn"]
    XCTAssertEqual(source.events, round + round + round)
  }

  func testACancelledWaiterDoesNotAffectOtherWaiters() {  // T37
    let gets = (0..<3).map { _ in cache.get(0) }
    gets[0].cancel()
    gets[2].cancel()
    source.settle(0)
    XCTAssertEqual(gets.map(\.answer), ["cancelled", "1", "cancelled"])
    XCTAssertEqual(source.events, ["get 0"])
  }

  func testTheLastCancelledWaiterCancelsTheLoad() {  // T37
    let gets = [cache.get(0), cache.get(0)]
    gets[0].cancel()
    XCTAssertEqual(source.events, ["get 0"])
    gets[1].cancel()
    XCTAssertEqual(source.events, ["get 0", "cancel get 0"])
    XCTAssertEqual(cache.get(0).answer, "no answer")
    XCTAssertEqual(source.events, ["get 0", "cancel get 0", "get 0"])
  }

  func testAfterAFailureOrACancelledFirstWaiterTheKeyIsNotPoisoned() {  // T64
    let (first, second) = (cache.get(0), cache.get(0))
    first.cancel()
    source.settle(0)
    XCTAssertEqual(second.answer, "1")
    let later = cache.get(0)
    source.settle(0)
    XCTAssertEqual(later.answer, "1")
  }

  func testAWriteDetachesTheLoadWhenItBeginsAndWhenItSettles() {  // T63
    let slow = ScriptedLevel(
      0, LevelScript(contents: [0: 1], hasSlowGets: true, hasSlowWrites: true))
    let cache = slow.cache.pooled()
    _ = cache.get(0)
    let set = cache.set(0, 2)
    _ = cache.get(0)
    slow.settle(1)
    XCTAssertEqual(set.answer, "()")
    _ = cache.get(0)
    XCTAssertEqual(slow.events, ["get 0", "set 0 2", "get 0", "get 0"])
  }

  func testAWriteOfTheCacheMadeOfAFetcherDetachesItsLoad() {
    let fetcher = { (key: Int) in key } <^> source.cache.fetcher.pooled() <*> .shifted
    let cache = .memory() + fetcher as Cache<Int, Int>
    for write in [{ cache.set(0, 5) }, { cache.remove(0) }, { cache.clear() }] {
      _ = fetcher.get(0)
      XCTAssertEqual(write().answer, "()")
    }
    _ = fetcher.get(0)
    XCTAssertEqual(source.events, ["get 0", "get 0", "get 0", "get 0"])
  }

  func testAThousandCallersMakeOneLoad() async throws {
    let loads = Lock<[Int]>([])
    let gate = Pending<Int>()
    let cache = Fetcher<Int, Int> { key in
      loads.withLock { $0.append(key) }
      return Promise(.pending(gate))
    }.pooled()
    try await withThrowingTaskGroup(of: Int.self) { group in
      let gets = (0..<1000).map { _ in cache.get(0) }
      for get in gets { group.addTask { try await get.value } }
      gate.settle(.success(9))
      for try await value in group { XCTAssertEqual(value, 9) }
    }
    XCTAssertEqual(loads.withLock { $0 }, [0])
  }

  func testALoadIsDetachedBeforeItsWriteHasSettled() {
    let later = Lock<Promise<Int>?>(nil)
    let written = Lock<Promise<Void>?>(nil)
    let source = ScriptedLevel(0, LevelScript(contents: [0: 1], hasSlowGets: true))
    let write = Pending<Void>()
    let asksWhenSettled = Lock<(@Sendable () -> Void)?>(nil)
    let cache = Cache<Int, Int>(
      get: source.cache.get,
      set: { _, _ in
        // This listener runs before any listener of the returned promise.
        Promise(.pending(write)).observed { _ in asksWhenSettled.withLock { $0 }?() }
      }
    ).pooled()
    asksWhenSettled.withLock {
      $0 = {
        guard written.withLock({ $0 })?.outcome != nil else { return }
        later.withLock { $0 = cache.get(0) }
      }
    }
    let promise = cache.set(0, 2)
    written.withLock { $0 = promise }
    let early = cache.get(0)
    write.settle(.success(()))
    source.settle(0)
    XCTAssertEqual(early.answer, "1")
    XCTAssertEqual(promise.answer, "()")
    XCTAssertNotEqual(later.withLock { $0 }?.answer, "1")
  }

  func testTheLevelBelowForgetsFirst() {
    let (later, meanwhile) = (Pending<Int>(), Lock<(@Sendable () -> Void)?>(nil))
    let answer = Lock(Promise<Int>(.pending(later)))
    let beneath = Fetcher<Int, Int>(
      get: { _ in answer.withLock { $0 } },
      forget: { _ in
        meanwhile.withLock { $0 }?()  // Begins a get before the lower level removes the key.
        answer.withLock { $0 = Promise(2) }
      }, plan: .level("fetcher", .origin))
    let pages = beneath.pooled().mapValues { $0 }
    meanwhile.withLock { $0 = { XCTAssertEqual(pages.get(0).answer, "no answer") } }
    _ = pages.remove(0)
    XCTAssertEqual(pages.get(0).answer, "2")
  }
}

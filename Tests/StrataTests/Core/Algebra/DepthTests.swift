import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that thousands of levels run with 512 KB of stack, the stack size of a secondary thread.
final class DepthTests: XCTestCase {
  private let count = 4_000

  private func inSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    XCTAssertEqual(done.wait(timeout: .now() + 600), .success)
  }

  private static func level(_ held: Lock<Int?>, isSlow: Bool) -> Cache<Int, Int> {
    let later: @Sendable () -> Promise<Int> = {
      let value = held.withLock { $0 }
      guard isSlow else { return Promise(value, or: CacheError.notFound) }
      return Promise { continuation in
        continuation.settle(Promise(value, or: CacheError.notFound).outcome ?? .cancelled)
      }
    }
    return Cache(
      get: { _ in later() },
      set: { _, value in
        held.withLock { $0 = value }
        return Promise()
      })
  }

  /// Returns the sum of the levels, which is built as a balanced tree. Adding one level after
  /// another would take quadratic time.
  private static func sum(of levels: [Cache<Int, Int>]) -> Cache<Int, Int> {
    var sums = levels
    while sums.count > 1 {
      sums = stride(from: 0, to: sums.count, by: 2).map { place in
        place + 1 < sums.count ? sums[place] + sums[place + 1] : sums[place]
      }
    }
    return sums[0]
  }

  func testASumOfThousandsOfLevelsIsBuiltReadWrittenAndReleased() {
    inSmallStack { [count] in
      let stores = (0..<count).map { _ in Lock<Int?>(nil) }
      do {
        let levels = stores.map { Self.level($0, isSlow: false) }
        let cache = Self.sum(of: levels)
        XCTAssertEqual(cache.get(0).answer, "not found")
        stores[count - 1].withLock { $0 = 7 }
        XCTAssertEqual(cache.get(0).answer, "7")
        XCTAssertEqual(stores.filter { $0.withLock { $0 == 7 } }.count, count)
        XCTAssertEqual(cache.set(0, 8).answer, "()")
        XCTAssertEqual(cache.get(0).answer, "8")
        XCTAssertEqual(stores.filter { $0.withLock { $0 == 8 } }.count, count)
      }
    }
  }

  func testThousandsOfSlowLevelsAnswerAndCanBeCancelled() {
    inSmallStack { [count] in
      let waiting = Lock<[Promise<Int>.Continuation]>([])
      let slow = Cache<Int, Int>(
        get: { _ in
          Promise { continuation in waiting.withLock { $0.append(continuation) } }
        }, set: { _, _ in Promise() })
      let cache = Self.sum(of: Array(repeating: slow, count: count))
      let get = cache.get(0)
      for level in 0..<count {
        let next = waiting.withLock { $0.popLast() }
        if level == count - 1 { next?.succeed(3) } else { next?.fail(CacheError.notFound) }
      }
      XCTAssertEqual(get.answer, "3")
      let cancelled = cache.get(0)
      for _ in 0..<count - 1 { waiting.withLock { $0.popLast() }?.fail(CacheError.notFound) }
      cancelled.cancel()
      XCTAssertEqual(waiting.withLock { $0.last?.isSettled }, true)
      XCTAssertEqual(cancelled.answer, "cancelled")
    }
  }

  /// Returns a level that fails immediately. The last digit of `number` selects one of ten kinds of
  /// failing levels.
  private static func failing(_ number: Int, _ time: TimeSource) -> Cache<Int, Int> {
    let broken = Cache<Int, Int>(
      get: { _ in Promise(error: Broken.here) }, set: { _, _ in Promise(error: Broken.here) },
      remove: { _ in Promise(error: Broken.there) }, clear: { Promise(error: Broken.there) })
    let settling = Cache<Int, Int>(
      get: { _ in Promise { $0.fail(Broken.here) } },
      set: { _, _ in Promise { $0.fail(Broken.here) } })
    switch number % 10 {
    case 0: return broken
    case 1: return settling
    case 2: return broken.timingOut(after: .seconds(1), clock: time)
    case 3: return settling.awaitedInSum(atMost: .seconds(1))
    case 4:
      return broken.breakingCircuit(after: .failures(2), retryAfter: .seconds(60), clock: time)
    case 5: return settling.limited(toConcurrentGets: 1)
    case 6: return settling.pooled()
    case 7: return broken <*> Codec(decode: { Promise($0) }, encode: { Promise($0) })
    case 8: return settling.retrying(3, backoff: .none, clock: time)
    default:
      return Cache<Int, Int>.failing(Broken.here).rememberingMisses(for: .seconds(1), clock: time)
    }
  }

  /// The test's stack has room for only 256 bytes per level.
  func testTwoThousandLevelsThatFailImmediatelyCostNoStack() {
    inSmallStack {
      let (time, _) = TimeSource.manual()
      let last = Lock<Int?>(7)
      let levels = (0..<2_000).map { Self.failing($0, time) }
      for isObserved in [false, true] {
        let sum = Self.sum(of: levels + [Self.level(last, isSlow: false)])
        let cache = isObserved ? sum.observed { _ in } : sum
        for _ in 0..<2 {
          XCTAssertEqual(cache.get(0).answer, "7")
          XCTAssertEqual(cache.set(0, 8).answer, "Broken.here")
          XCTAssertEqual(cache.remove(0).answer, "Broken.there")
          XCTAssertEqual(cache.clear().answer, "Broken.there")
          last.withLock { $0 = 7 }
        }
        let all = Self.sum(of: levels)
        XCTAssertEqual(all.get(0).answer, "Broken.here")
      }
    }
  }
}

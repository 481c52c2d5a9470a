import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that user code can call a cache while the cache is running that code. If the cache held a
/// lock while it ran user code, the test would deadlock.
final class ReentrancyTests: XCTestCase {
  /// Runs a closure that calls back into the cache.
  private final class Caller: Sendable {
    struct Work: Sendable { let run: @Sendable () -> Void }
    private let state = Lock((work: nil as Work?, isRunning: false, calls: 0))

    var calls: Int { state.withLock { $0.calls } }

    func begin(_ run: @escaping @Sendable () -> Void) {
      state.withLock { $0.work = Work(run: run) }
    }

    func end() { _ = state.withLock { $0.work.take() } }

    /// Runs the work if the work isn't already running and has run fewer than 500 times. The work
    /// uses the cache, which calls this function again, so work that is already running must not
    /// start again. Without the limit of 500 runs, deferred work would repeat forever.
    func call() {
      let work = state.withLock { state -> Work? in
        guard !state.isRunning, state.calls < 500, state.work != nil else { return nil }
        state.isRunning = true
        return state.work
      }
      guard let work else { return }
      work.run()
      state.withLock {
        $0.isRunning = false
        $0.calls += 1
      }
    }
  }

  private struct Key: Hashable, Sendable {
    let number: Int
    let caller: Caller
    static func == (one: Key, other: Key) -> Bool {
      one.caller.call()
      return one.number == other.number
    }
    func hash(into hasher: inout Hasher) {
      caller.call()
      hasher.combine(number % 2)
    }
  }

  private final class Value: Sendable {
    let caller: Caller
    init(_ caller: Caller) { self.caller = caller }
    deinit { caller.call() }
  }

  /// Runs `body` on a separate thread, and fails if `body` doesn't end.
  private func watched(_ body: @escaping @Sendable () -> Void, line: UInt = #line) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    XCTAssertEqual(
      done.wait(timeout: .now() + 300), .success, "The operation should end.", line: line)
  }

  private static func useAll(_ cache: Cache<Key, Value>, _ caller: Caller) {
    for number in 0..<6 {
      let key = Key(number: number, caller: caller)
      _ = cache.get(key)
      _ = cache.set(key, Value(caller))
      _ = cache.set(key, Value(caller))
      _ = cache.get(key)
    }
    _ = cache.remove(Key(number: 1, caller: caller))
    cache.memoryWarning()
    _ = cache.clear()
  }

  private func check(_ make: @escaping @Sendable (Caller) -> Cache<Key, Value>, line: UInt = #line)
  {
    let caller = Caller()
    watched(
      {
        let cache = make(caller)
        caller.begin {
          let key = Key(number: 1, caller: caller)
          _ = cache.get(key)
          _ = cache.set(key, Value(caller))
          _ = cache.remove(key)
          _ = cache.clear()
        }
        Self.useAll(cache, caller)
        caller.end()
      }, line: line)
    XCTAssertGreaterThan(caller.calls, 10, line: line)
  }

  func testKeysAndValuesMayUseTheirMemoryLevel() {
    check { _ in .memory(capacity: 2) }
    check { caller in
      .memory(
        capacity: .cost(2) { _ in
          caller.call()
          return 1
        })
    }
  }

  func testKeysValuesAndFetchesMayUseTheSumAround() {
    check { caller in
      .memory(capacity: 2) + .memory(capacity: 3)
        + Fetcher(offMainThread: false) { _ in
          caller.call()
          return Value(caller)
        }
    }
  }

  func testKeysValuesAndFetchesMayUseThePoolAround() {
    check { caller in
      (.memory(capacity: 2)
        + Fetcher(offMainThread: false) { key in
          if key.number != 1 { caller.call() }
          return Value(caller)
        }).pooled()
    }
  }

  func testMapsMayUseTheCacheTheyMap() {
    check { caller in
      let codec = Codec<Value, Value>(
        decode: { value in
          caller.call()
          return value
        },
        encode: { value in
          caller.call()
          return value
        })
      return { (key: Key) in
        caller.call()
        return key
      } <^> (.memory(capacity: 2) <*> codec + .memory(capacity: 3))
    }
  }

  func testAnObserverMayUseTheCacheItObserves() {
    check { caller in
      (.memory(capacity: 2).named("memory") + .memory(capacity: 3)).observed { _ in caller.call() }
    }
  }
}

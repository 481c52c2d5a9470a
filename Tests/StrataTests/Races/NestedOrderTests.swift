import Dispatch
import Foundation
import Strata
import XCTest

/// Tests that nested verbs preserve the order of writes, and retain no objects after the writes.
final class NestedOrderTests: XCTestCase {
  private final class Token: Sendable {}
  private final class Box<T>: @unchecked Sendable {
    private let lock = NSLock()
    private var held: T
    init(_ value: T) { held = value }
    func with<R>(_ body: (inout T) -> R) -> R { lock.withLock { body(&held) } }
    var value: T { with { $0 } }
  }
  private struct Same: Hashable, Sendable {
    let id: Int
    func hash(into hasher: inout Hasher) {}
  }

  func testAChainOfWaitingWritesNeedsNoStack() {
    var made: Promise<Void>.Continuation?
    let gate = Promise<Void> { (c: Promise<Void>.Continuation) in made = c }
    let isFirst = Box(true)
    let level = Cache<Int, Int>(
      get: { _ in Promise(1) },
      set: { _, _ in
        isFirst.with { f in
          defer { f = false }; return f
        } ? gate : Promise()
      })
    let cache =
      (level + level).pooled() <*> Codec<Int, Int>(decode: { Promise($0) }, encode: { Promise($0) })
    let count = Box(0)
    for i in 0..<20_000 {
      _ = cache.set(0, i)
      cache.get(0).onSuccess { _ in count.with { $0 += 1 } }
      if i % 1000 == 0 { _ = cache.clear() }
    }
    let done = DispatchSemaphore(value: 0)
    let open = made!
    let thread = Thread {
      open.succeed(()); done.signal()
    }
    thread.stackSize = 1 << 18
    thread.start()
    XCTAssertEqual(done.wait(timeout: .now() + 600), .success)
    XCTAssertEqual(count.value, 20_000)
  }

  func testManyThreadsInNestedPoolsAndSumsEndWithTheLastWrite() {
    for round in 0..<30 {
      let queue = DispatchQueue(label: "r", attributes: .concurrent)
      let slow = Cache<Same, Int>.dictionary().dispatched(on: queue)
      let asyncLevel: Cache<Same, Int> = {
        let store = Box<[Same: Int]>([:])
        return Cache(
          get: { key async throws -> Int in
            await Task.yield()
            guard let v = store.value[key] else { throw CacheError.notFound }
            return v
          },
          set: { key, value async throws in
            await Task.yield(); store.with { $0[key] = value }
          },
          remove: { key async throws in
            await Task.yield(); store.with { $0[key] = nil }
          },
          clear: { () async throws in store.with { $0 = [:] } })
      }()
      let memory = Cache<Same, Int>.dictionary()
      let cache =
        (memory
        + (slow + asyncLevel.pooled()).pooled()
        .rememberingMisses(for: .seconds(1000))).pooled()
      let observed = cache.observed { _ in }
      let mapped = { (n: Int) in Same(id: n) } <^> cache
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for i in 0..<60 {
          let key = i % 3
          switch (i + thread * 7) % 6 {
          case 0: _ = mapped.set(key, thread * 1000 + i)
          case 1: _ = observed.set(Same(id: key), thread * 1000 + i)
          case 2: mapped.get(key).map { $0 }.cancel()
          case 3: _ = mapped.remove(key)
          case 4: if i % 20 == 4 { _ = cache.clear() } else { _ = mapped.get(key) }
          default: cache.set(Same(id: key), -i).cancel()
          }
        }
      }
      for key in 0..<3 {
        let value = round * 10 + key
        XCTAssertNoThrow(try mapped.set(key, value).wait(for: .seconds(300)))
      }
      for key in 0..<3 {
        XCTAssertEqual(try? mapped.get(key).wait(for: .seconds(300)), round * 10 + key)
        _ = memory.clear()
        XCTAssertEqual(try? mapped.get(key).wait(for: .seconds(300)), round * 10 + key)
      }
    }
  }

  func testNothingIsRetained() {
    weak var weakToken: Token?
    do {
      let token = Token()
      weakToken = token
      var made: [Promise<Int>.Continuation] = []
      let held = Box(made)
      let origin = Fetcher<Int, Int> { (_: Int) -> Promise<Int> in
        withExtendedLifetime(token) {}
        return Promise<Int> { (c: Promise<Int>.Continuation) in held.with { $0.append(c) } }
      }
      let (time, clock) = TimeSource.manual()
      let stamped: Cache<Int, Stamped<Int>> = .memory(clock: time)
      let refreshed = stamped.refreshing(
        Freshness(for: .seconds(1), staleWhileRevalidate: .seconds(100)), from: origin)
      let updates = refreshed.updating(from: origin.rememberingMisses(for: .seconds(1)).pooled())
      _ = refreshed.get(1)
      let second = refreshed.get(1)
      second.cancel()
      _ = updates.cache.set(1, 4)
      var stream: AsyncThrowingStream<CacheUpdate<Int>, any Error>? = updates.values(1)
      withExtendedLifetime(stream) {}
      stream = nil
      clock.advance(by: .seconds(2))
      _ = refreshed.get(1)
      for c in held.value { c.succeed(3) }
      for c in held.value { c.fail(CacheError.notFound) }
      held.with { $0 = [] }
      clock.advance(by: .seconds(100))
      made = []
    }
    XCTAssertNil(weakToken)
  }

  func testACustomVerbOnAFetcher() {
    let stages = Box<[String]>([])
    let origin = Fetcher<Int, Int> { (key: Int) -> Promise<Int> in Promise(key) }
    let verb = origin.named("origin").transformingGet("mine", [nil: .count(3)]) { get in
      { key in get(key + 1) }
    }.fetcher
    let cache = (Cache<Int, Int>.dictionary().named("top") + verb).observed { e in
      stages.with { $0.append("\(e.stage) \(e.operation)") }
    }
    XCTAssertEqual(cache.get(1).outcome.map { "\($0)" }, "success(2)")
    XCTAssertTrue(stages.value.contains("origin get"), "\(stages.value)")
    XCTAssertTrue("\(verb.plan)".contains("mine(3)"), "\(verb.plan)")
  }
}

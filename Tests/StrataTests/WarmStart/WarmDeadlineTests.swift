import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests saves and loads over a cache that doesn't answer.
final class WarmDeadlineTests: XCTestCase {
  /// A cache in which the operations on some keys never end. They advance the clock beyond every
  /// limit.
  private struct Hanging: Sendable {
    let clock: TimeSource
    let time: ManualTime
    let saved = Cache<String, Data>.dictionary()

    private let kept = Lock<[any Sendable]>([])

    init() { (clock, time) = TimeSource.manual() }

    func hang<Value>() -> Promise<Value> {
      Promise { continuation in
        kept.withLock { $0.append(continuation) }
        time.advance(by: .seconds(3))
      }
    }

    func cache(
      get: String = "", set: String = "", remove: String = ""
    ) -> Cache<String, Data> {
      let saved = saved
      return Cache(
        as: .memory, keepsOrder: true,
        get: { $0 == get ? hang() : saved.get($0) },
        set: { $0 == set ? hang() : saved.set($0, $1) },
        remove: { $0 == remove ? hang() : saved.remove($0) })
    }

    func storage(_ count: Int) -> MemoryStorage<Int, String> {
      let storage = MemoryStorage<Int, String>(capacity: .count(max(1, count)), clock: clock)
      for key in 0..<count { _ = Cache.memory(storage).set(key, "value \(key)") }
      return storage
    }

    /// Runs a transfer. Time passes until it ends.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value
    {
      let end = Promise(work)
      while end.outcome == nil {
        if time.waiting > 0 { time.advance(by: .seconds(10)) }
        sched_yield()
      }
      return try end.outcome!.get()
    }

    func save(_ count: Int, into cache: Cache<String, Data>) throws -> MemoryTransfer {
      let storage = storage(count)
      return try run {
        try await storage.save(into: cache, keys: .json(), values: .utf8, within: .seconds(5))
      }
    }

    func load(from cache: Cache<String, Data>) throws -> MemoryTransfer {
      let storage = MemoryStorage<Int, String>(capacity: 20_000, clock: clock)
      return try run {
        try await storage.load(from: cache, keys: .json(), values: .utf8, within: .seconds(5))
      }
    }
  }

  func testASaveEndsInTimeAndTheEarlierOneStaysValid() throws {
    for (get, set) in [("memory", ""), ("", "memory/1/0"), ("", "memory/1/1"), ("", "memory")] {
      let hanging = Hanging()
      _ = try hanging.save(10, into: hanging.saved)
      XCTAssertThrowsError(
        try hanging.save(5_000, into: hanging.cache(get: get, set: set))
      ) { error in
        guard case CacheError.timedOut = error else { return XCTFail("\(error)") }
      }
      let loaded = try hanging.load(from: hanging.saved)
      XCTAssertEqual(loaded.values, 10)
      XCTAssertTrue(loaded.isComplete)
    }
  }

  func testASaveIsValidBeforeTheOldPagesAreRemoved() throws {
    let hanging = Hanging()
    _ = try hanging.save(10, into: hanging.saved)
    let saved = try hanging.save(20, into: hanging.cache(remove: "memory/0/0"))
    XCTAssertEqual(saved.values, 20)
    XCTAssertEqual(try hanging.load(from: hanging.saved).values, 20)
  }

  func testALoadEndsInTimeAndIsNotComplete() throws {
    let hanging = Hanging()
    _ = try hanging.save(10_000, into: hanging.saved)
    for key in ["memory", "memory/0/0", "memory/0/1"] {
      let loaded = try hanging.load(from: hanging.cache(get: key))
      XCTAssertFalse(loaded.isComplete)
      XCTAssertEqual(loaded.values > 0, key == "memory/0/1")
    }
    XCTAssertTrue(try hanging.load(from: hanging.saved).isComplete)
  }

  func testACodecThatHangsEndsTheTransfer() throws {
    let hanging = Hanging()
    _ = try hanging.save(10, into: hanging.saved)
    let stuck = Codec<Data, String>(
      decode: { _ -> Promise<String> in hanging.hang() },
      encode: { _ -> Promise<Data> in hanging.hang() })
    let storage = hanging.storage(10)
    let loaded = try hanging.run {
      try await MemoryStorage<Int, String>(clock: hanging.clock).load(
        from: hanging.saved, keys: .json(), values: stuck, within: .seconds(5))
    }
    XCTAssertEqual(loaded, MemoryTransfer(isComplete: false))
    let saved = try hanging.run {
      try await storage.save(
        into: .dictionary(), keys: .json(), values: stuck, within: .seconds(5))
    }
    XCTAssertEqual(saved, MemoryTransfer(isComplete: false))
  }

  func testATimeWithoutAnEndDoesNotOverflow() {
    let (clock, _) = TimeSource.manual()
    let deadline = WarmDeadline(after: .seconds(Int64.max) * 8, clock: clock)
    XCTAssertFalse(deadline.isNear)
    XCTAssertFalse(deadline.isPassed)
  }

  func testACancelledSaveKeepsTheEarlierOne() async throws {
    let (store, storage) = (Cache<String, Data>.dictionary(), MemoryStorage<Int, Int>(capacity: 10))
    storage.setIfAbsent(5, for: 1)
    try await storage.save(into: store, keys: .json(), values: .json())
    let hanging = Codec<Data, Int>(
      decode: { _ -> Promise<Int> in .miss },
      encode: { _ -> Promise<Data> in Pending<Data>().promise })
    let saving = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await storage.save(into: store, keys: hanging, values: .json())
    }
    let saved = await saving.result
    XCTAssertThrowsError(try saved.get()) { XCTAssert($0 is CancellationError) }
    let moved = try await storage.save(into: store, keys: .json(), values: .json(), within: .zero)
    XCTAssertEqual([moved.values, moved.isComplete ? 1 : 0], [0, 0])
    let next = MemoryStorage<Int, Int>(capacity: 10)
    let loaded = try await next.load(from: store, keys: .json(), values: .json())
    XCTAssertEqual(loaded.values, 1)
  }
}

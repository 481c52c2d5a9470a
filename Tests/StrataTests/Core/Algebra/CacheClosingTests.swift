import Foundation
import StrataHTTP
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataNetwork
@testable import StrataVerbs

/// The end of a service, of an app, and of a script.
final class CacheClosingTests: XCTestCase {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("closing-\(UUID().uuidString)")

  override func tearDown() { try? FileManager.default.removeItem(at: directory) }

  func testAServiceThatIsDrainedUnderLoadLosesNothing() async throws {
    let stored = Lock<[Int: Int]>([:])
    let store = Cache<Int, Int>(
      get: { key async throws in
        guard let value = stored.withLock({ $0[key] }) else { throw CacheError.notFound }
        return value
      },
      set: { key, value async throws in
        await Task.yield()
        stored.withLock { $0[key] = value }
      })
    let origin = Fetcher<Int, Int> { key async throws in
      for _ in 0..<20 { await Task.yield() }
      return key * 2
    }
    let pages = Cache<Int, Int>.memory() + (store + origin).pooled()
    let answered = Lock<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for key in 0..<200 {
        group.addTask {
          do {
            let value = try await pages.value(for: key)
            XCTAssertEqual(value, key * 2)
            answered.withLock { $0.append(key) }
          } catch CacheError.closed {}
        }
      }
      group.addTask { try await pages.close() }
      try await group.waitForAll()
    }
    // Each value that a caller got has reached the lowest level.
    let (values, keys) = (stored.withLock { $0 }, answered.withLock { $0 })
    for key in keys { XCTAssertEqual(values[key], key * 2) }
  }

  func testALoadThatIgnoresCancellationIsWaitedFor() async throws {
    let (gate, hasBegun) = (Pending<Void>(), Pending<Void>())
    let isRunning = Lock(false)
    let origin = Fetcher<Int, Int> { (key: Int) async throws -> Int in
      isRunning.withLock { $0 = true }
      hasBegun.settle(.success(()))
      await withUnsafeContinuation { waiter in gate.promise.onCompletion { _ in waiter.resume() } }
      isRunning.withLock { $0 = false }
      return key
    }
    let cache = Cache<Int, Int>.memory() + origin.pooled()
    let get = cache.get(1)
    try await hasBegun.promise.value
    get.cancel()
    let closing = cache.closing(atMost: .seconds(60))
    XCTAssertNil(closing.outcome)
    gate.settle(.success(()))
    try await closing.value
    XCTAssertFalse(isRunning.withLock { $0 })
  }

  func testTheLimitCancelsLoadsAndNamesTheStage() {
    let (clock, time) = TimeSource.manual()
    let isCancelled = Lock(false)
    let origin = Fetcher<Int, Int> { _ in
      Promise { continuation in
        let kept = continuation
        kept.onCancel { isCancelled.withLock { $0 = true } }
        _ = clock.after(.seconds(1_000)) { kept.fail(CacheError.notFound) }
      }
    }
    let cache = Cache<Int, Int>.dictionary().clocked(by: clock) + origin
    let get = cache.get(1)
    let drained = cache.draining(atMost: .seconds(3))
    let closing = cache.closing(atMost: .seconds(5))
    time.advance(by: .seconds(4))
    XCTAssertNotNil(drained.outcome?.error)
    XCTAssertFalse(isCancelled.withLock { $0 })
    time.advance(by: .seconds(1))
    guard case .timedOut(_, .seconds(5), nil)? = closing.outcome?.error as? CacheError else {
      return XCTFail("\(String(describing: closing.outcome))")
    }
    XCTAssertTrue(isCancelled.withLock { $0 })
    XCTAssertEqual(get.outcome?.error as? CacheError, .closed(stage: "fetcher"))
  }

  func testARefreshIsDrained() {
    let (clock, time) = TimeSource.manual()
    let origin = Fetcher<Int, Int> { key in
      Promise(key + Int(clock.now().nanoseconds / 1_000_000_000) % 1_000)
        .delayed(by: .seconds(2), clock: clock)
    }
    let stamped = Cache<Int, Stamped<Int>>.dictionary().clocked(by: clock)
    let cache = stamped.refreshing(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: origin)
    _ = cache.get(1)
    time.advance(by: .seconds(100))
    let old = stamped.get(1).outcome?.value
    XCTAssertNotNil(cache.get(1).outcome?.value)
    let drained = cache.draining(atMost: .seconds(60))
    XCTAssertNil(drained.outcome)
    time.advance(by: .seconds(2))
    XCTAssertNotNil(drained.outcome?.value)
    XCTAssertNotEqual(stamped.get(1).outcome?.value, old)
  }

  func testAStaleValueIsStillAnsweredAfterTheEnd() async throws {
    let (clock, time) = TimeSource.manual()
    let origin = Fetcher<Int, Int>(offMainThread: false) { $0 }
    let cache = Cache<Int, Stamped<Int>>.dictionary().clocked(by: clock).refreshing(
      Freshness(for: .seconds(60), staleWhileRevalidate: .seconds(600)), from: origin)
    _ = cache.get(1)
    try await cache.close()
    time.advance(by: .seconds(100))
    XCTAssertEqual(cache.get(1).outcome?.value, 1)
    XCTAssertEqual(cache.get(2).outcome?.error as? CacheError, .closed(stage: "fetcher"))
  }

  func testARetryEndsWhenTheOriginIsClosed() async throws {
    let (clock, time) = TimeSource.manual()
    let failing = Fetcher<Int, Int>(offMainThread: false) { _ in throw CacheError.abandoned }
    let cache =
      (Cache<Int, Int>.dictionary().clocked(by: clock) + failing.retrying(5, clock: clock))
    let get = cache.get(1)
    let closing = cache.closing(atMost: .seconds(600))
    time.advance(by: .seconds(100))
    XCTAssertEqual(get.outcome?.error as? CacheError, .closed(stage: "fetcher"))
    XCTAssertNotNil(closing.outcome?.value)
  }

  func testAClosedDiskLevelHasNoOpenFilesAndANewOneHasItsValues() async throws {
    let disk: Cache<String, Data> = .disk("pages", in: directory, offMainThread: false)
    let pages = Cache<String, Data>.memory() + disk
    try await pages.set(Data("a".utf8), for: "a")
    XCTAssertFalse(openFiles.isEmpty)
    try await pages.close()
    XCTAssertEqual(openFiles, [])
    let kept = try await pages.value(for: "a")
    XCTAssertEqual(kept, Data("a".utf8))  // From memory.
    do {
      try await pages.set(Data(), for: "b")
      XCTFail("a closed level stores a value")
    } catch { XCTAssertEqual((error as? CacheError)?.isClosed, true) }
    XCTAssertEqual(openFiles, [])
    let next: Cache<String, Data> = .disk("pages", in: directory, offMainThread: false)
    let found = try await next.value(for: "a")
    XCTAssertEqual(found, Data("a".utf8))
  }

  /// The files of the directory that this process has open.
  private var openFiles: [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.contains(directory.lastPathComponent) }
  }

  func testAScriptsLastLineWaitsForItsWrites() async throws {
    let disk: Cache<String, Data> = .disk("pages", in: directory)
    _ = disk.set("big", Data(count: 3 << 20))
    try await disk.close()
    let next: Cache<String, Data> = .disk("pages", in: directory)
    let found = try await next.value(for: "big")
    XCTAssertEqual(found.count, 3 << 20)
  }

  func testAnHTTPCacheIsClosedWithItsStoreAndItsOrigin() async throws {
    let (gate, now) = (Pending<Void>(), TimeSource.system.now())
    let origin = Fetcher<URLRequest, NetworkResponse> { request in
      gate.promise.map {
        NetworkResponse(
          status: 200, fields: ["Cache-Control": "max-age=60"], body: Data("a".utf8),
          url: request.url!, requestTime: now, responseTime: now)
      }
    }
    let closings = Lock(0)
    let store = Cache<String, Data>.dictionary().closing { closings.withLock { $0 += 1 } }
    let url = URL(string: "https://example.org/")!
    let pages = HTTPCache(storedIn: store, from: origin).fetcher(accepting: .success)
    let answer = pages.get(url)
    let closing = pages.closing(atMost: .seconds(60))
    XCTAssertNil(closing.outcome)
    gate.settle(.success(()))
    try await closing.value
    XCTAssertEqual(closings.withLock { $0 }, 1)
    let first = try await answer.value
    XCTAssertEqual(first.value, Data("a".utf8))
    let again = try await pages.value(for: url)  // The store is in memory, so it answers.
    XCTAssertEqual(again.value, first.value)
    do {
      _ = try await pages.value(for: URL(string: "https://example.org/b")!)
      XCTFail("a closed origin answers")
    } catch { XCTAssertEqual(error as? CacheError, .closed(stage: "fetcher")) }
  }

  func testABusyCacheCanBeDrained() {
    let (clock, time) = TimeSource.manual()
    let origin = Fetcher<Int, Int> { Promise($0).delayed(by: .seconds(2), clock: clock) }
    let cache = Cache<Int, Int>.dictionary().clocked(by: clock) + origin
    _ = cache.get(0)
    let drained = cache.draining(atMost: .seconds(60))
    for key in 1..<30 where drained.outcome == nil {
      _ = cache.get(key)
      time.advance(by: .seconds(1))
    }
    XCTAssertNotNil(drained.outcome?.value)
  }

  func testALevelThatTwoCachesShareIsClosedOnce() async throws {
    let closings = Lock(0)
    let shared = Cache<Int, Int>.dictionary().closing { closings.withLock { $0 += 1 } }
    try await (shared + shared.named("again")).close()
    try await shared.close()
    XCTAssertEqual(closings.withLock { $0 }, 1)
  }

  func testAnErrorOfAClosingIsThrown() async throws {
    let cache = Cache<Int, Int>.dictionary().closing { throw CacheError.abandoned }
    for _ in 0..<2 {
      do {
        try await cache.close()
        XCTFail("the error is lost")
      } catch { XCTAssertEqual(error as? CacheError, .abandoned) }
    }
  }

  func testACancelledTaskDoesNotKeepTheLevelsOpen() async throws {
    let closed = Pending<Void>()
    let cache = Cache<Int, Int>.dictionary().closing { closed.settle(.success(())) }
    let task = Task { try await cache.close() }
    task.cancel()
    _ = await task.result
    try await closed.promise.value
  }
}

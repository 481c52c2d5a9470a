import Dispatch
import Foundation
import Strata
import XCTest

/// Tests that the order of writes is preserved while a promise delivers its value, and that a read
/// sees a write that is still waiting.
final class WriteOrderTests: XCTestCase {
  private final class Box<T>: @unchecked Sendable {
    private let lock = NSLock()
    private var held: T
    init(_ value: T) { held = value }
    func with<R>(_ body: (inout T) -> R) -> R { lock.withLock { body(&held) } }
    var value: T { with { $0 } }
  }

  private func later<V: Sendable>(_: V.Type) -> (Promise<V>, Promise<V>.Continuation) {
    var made: Promise<V>.Continuation?
    let promise = Promise<V> { (c: Promise<V>.Continuation) in made = c }
    return (promise, made!)
  }

  private func log() -> (Box<[String]>, Cache<Int, Int>) {
    let (events, store) = (Box<[String]>([]), Box<[Int: Int]>([:]))
    let cache = Cache<Int, Int>(
      get: { key in
        events.with { $0.append("get \(key)") }
        return Promise(store.value[key], or: CacheError.notFound)
      },
      set: { key, value in
        events.with { $0.append("set \(key) \(value)") }
        store.with { $0[key] = value }
        return Promise()
      },
      remove: { key in
        store.with { $0[key] = nil }; return Promise()
      })
    return (events, cache)
  }

  func testWritesKeepTheirOrderWhileAnEncodingIsDelivered() {
    let (events, level) = log()
    let (shared, continuation) = later(Int.self)
    let codec = Codec<Int, Int>(
      label: "memo", decode: { Promise($0) }, encode: { $0 == 1 ? shared : Promise($0) })
    let cache = level <*> codec
    let seen = Box<String>("")
    shared.onSuccess { _ in
      _ = cache.set(0, 1)  // Encoding 1 returns the promise `shared`, which has already succeeded.
      seen.with { $0 = cache.get(0).outcome.map { "\($0)" } ?? "pending" }
      _ = cache.set(0, 2)
    }
    continuation.succeed(1)
    XCTAssertEqual(events.value.filter { $0.hasPrefix("set") }, ["set 0 1", "set 0 2"])
    XCTAssertEqual(cache.get(0).outcome.map { "\($0)" }, "success(2)")
    XCTAssertFalse(
      seen.value.contains("notFound"), "The get should see the earlier set: \(seen.value)")
  }

  func testWritesKeepTheirOrderWhileAKeyIsDelivered() {
    let (events, level) = log()
    let (shared, continuation) = later(Int.self)
    let calls = Box(0)
    let keyed = level.mapKeys(
      Transformer<Int, Int> { (key: Int) -> Promise<Int> in
        calls.with {
          $0 += 1; return $0
        } == 1 ? shared : Promise(key)
      })
    shared.onSuccess { _ in
      _ = keyed.set(0, 1)
      _ = keyed.set(0, 2)
    }
    continuation.succeed(0)
    XCTAssertEqual(events.value, ["set 0 1", "set 0 2"])
  }

  func testAReadOfUpdatesSeesAWriteThatWaits() async throws {
    let store = Box<[Int: Int]>([7: 0])
    let (entered, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let level = Cache<Int, Int>(
      get: { key in Promise(store.value[key], or: CacheError.notFound) },
      set: { key, value in
        if value == 5 {
          entered.signal()
          go.wait()
        }
        store.with { $0[key] = value }
        return Promise()
      })
    let (fresh, continuation) = later(Int.self)
    let calls = Box(0)
    let origin = Fetcher<Int, Int> { (_: Int) -> Promise<Int> in
      calls.with {
        $0 += 1; return $0
      } == 1 ? fresh : Promise(error: CocoaError(.fileNoSuchFile))
    }
    let updates = level.updating(from: origin)
    let reading = updates.values(7)
    Thread.detachNewThread { continuation.succeed(5) }
    DispatchQueue.global().async {}
    await withCheckedContinuation { (c: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        entered.wait(); c.resume()
      }
    }
    _ = updates.cache.set(7, 9)  // This `set` waits until 5 has been stored.
    let stream = updates.values(7)
    let got = updates.cache.get(7)
    go.signal()
    let nine = try await got.value
    XCTAssertEqual(nine, 9)
    var first: Int?
    do { for try await update in stream { first = first ?? update.value } } catch {}
    XCTAssertEqual(first, 9, "The read began after the write, so it should see 9.")
    withExtendedLifetime(reading) {}
  }
}

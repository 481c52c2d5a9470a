import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that the cache holds no lock while it runs user code, so the user code can safely call the
/// cache.
final class MemoryReentryTests: XCTestCase {
  /// The action that the methods of `Probe` run. A running action isn't started a second time.
  fileprivate static let within = Lock<(@Sendable () -> Void)?>(nil)

  fileprivate static func callWithin() {
    let body = within.withLock { body in
      defer { body = nil }
      return body
    }
    guard let body else { return }
    body()
    within.withLock { $0 = body }
  }

  /// Runs `body`. Whenever `body` causes user code to run, the user code calls all operations of
  /// the cache.
  private func using(
    _ cache: Cache<Probe, Probe>, _ body: () -> Void
  ) {
    let calls = Lock(0)
    Self.within.withLock { within in
      within = {
        calls.withLock { $0 += 1 }
        for number in 0..<4 {
          _ = cache.get(Probe(number))
          _ = cache.set(Probe(number + 1), Probe(number))
          _ = cache.remove(Probe(number))
        }
        if calls.withLock({ $0 }) % 5 == 0 { _ = cache.clear() }
      }
    }
    body()
    Self.within.withLock { $0 = nil }
    XCTAssertGreaterThan(calls.withLock { $0 }, 0)
  }

  func testEqualityHashAndDeinitMayUseTheCache() {
    let cache: Cache<Probe, Probe> = .memory(capacity: 3)
    using(cache) { exercise(cache) }
  }

  func testCostAndEvictionCallbackMayUseTheCache() {
    let cache: Cache<Probe, Probe> = .memory(
      capacity: .cost(30) { _ in
        Self.callWithin()
        return 10
      },
      onEviction: { _, _, _ in Self.callWithin() })
    using(cache) { exercise(cache) }
  }

  private func exercise(_ cache: Cache<Probe, Probe>) {
    for round in 0..<Extent.rounds(20, full: 500) {
      for number in 0..<6 {
        _ = cache.set(Probe(number), Probe(round))
        _ = cache.get(Probe(number))
      }
      _ = cache.remove(Probe(round % 6))
      if round % 3 == 0 { cache.memoryWarning() }
      if round % 4 == 0 { _ = cache.clear() }
    }
  }
}

/// A type for keys and values whose `==`, `hash`, and `deinit` call the cache.
private final class Probe: Hashable, Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { MemoryReentryTests.callWithin() }

  static func == (one: Probe, other: Probe) -> Bool {
    MemoryReentryTests.callWithin()
    return one.number == other.number
  }

  func hash(into hasher: inout Hasher) {
    MemoryReentryTests.callWithin()
    hasher.combine(number % 3)
  }
}

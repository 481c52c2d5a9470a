import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PrefetcherTests: XCTestCase {
  private let source = ScriptedLevel(
    0,
    LevelScript(
      contents: Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, 10 + $0) }),
      hasSlowGets: true))

  /// Returns a prefetcher that calls gets on the caller's thread.
  private func prefetcher(
    _ cache: Cache<Int, Int>, _ count: Int = 2
  ) -> Prefetcher<Int, Int> {
    Prefetcher(cache, concurrentGets: count) { $0() }
  }

  /// Waits until a prefetcher with tasks has ended.
  private func rest<Key, Value>(_ prefetcher: Prefetcher<Key, Value>) async {
    while prefetcher.remaining > 0 { await Task.yield() }
  }

  func testAMillionKeysBeginTwoLoads() async {
    let prefetcher = prefetcher(source.cache)
    prefetcher.want(0..<1_000_000)
    XCTAssertEqual(source.events, ["get 0", "get 1"])
    XCTAssertEqual(prefetcher.remaining, 1_000_000)
    prefetcher.want([1, 2])
    XCTAssertEqual(source.events, ["get 0", "get 1", "cancel get 0", "get 2"])
    XCTAssertEqual(prefetcher.remaining, 2)
  }

  func testAHundredThousandHitsEndInTasks() async {
    let level: Cache<Int, Int> = .dictionary(
      Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, $0) }))
    let prefetcher = Prefetcher(level)
    prefetcher.want(0..<100_000)
    await rest(prefetcher)
    prefetcher.want(0..<100_000)
    XCTAssertEqual(prefetcher.remaining, 0, "A loaded key that remains wanted isn't read again.")
  }

  func testTheVisibleRowIsNeverBehind() async throws {
    let cache = (.memory() + source.cache.limited(toConcurrentGets: 1).pooled())
    let prefetcher = Prefetcher(cache, concurrentGets: 4)
    prefetcher.want([0, 1, 2, 3])
    while prefetcher.remaining > 0, source.events.isEmpty { await Task.yield() }
    let row = cache.get(5)
    let joined = Task(priority: .high) { try await cache.value(for: 3) }
    source.settle(0)
    while row.outcome == nil { source.settle(0) }
    XCTAssertEqual(source.events.prefix(2), ["get 0", "get 5"])
    while prefetcher.remaining > 0 {
      source.settle(0)
      await Task.yield()
    }
    let third = try await joined.value
    XCTAssertEqual(third, 13)
  }

  func testPrefetchesRunInTasksOfALowPriority() async {
    let seen = Journal<TaskPriority>()
    let prefetcher = Prefetcher(
      Fetcher<Int, Int> { key async -> Int in
        seen.note(Task.currentPriority)
        return key
      })
    prefetcher.want([0])
    await rest(prefetcher)
    XCTAssertEqual(seen.entries, [.background])
  }

  func testOnlyTheDestinationIsFilled() async throws {
    let (memory, disk): (Cache<Int, Int>, Cache<Int, Int>) = (.dictionary(), .dictionary())
    let stored = (disk + Fetcher { $0 + 10 }).pooled()
    let cache = memory + stored
    let prefetcher = Prefetcher(stored)
    prefetcher.want([1, 2])
    await rest(prefetcher)
    let found = (try await disk.findValue(for: 1), try await memory.findValue(for: 1))
    XCTAssertEqual(found.0, 11)
    XCTAssertNil(found.1)
    let value = try await cache.value(for: 2)
    XCTAssertEqual(value, 12)
  }

  func testAPrefetcherThatIsReleasedWantsNothing() {
    var prefetcher: Prefetcher<Int, Int>? = prefetcher(source.cache)
    prefetcher?.want([0, 1, 2])
    prefetcher = nil
    XCTAssertNil(prefetcher)
    XCTAssertEqual(source.events.count, 4)
    XCTAssertEqual(Set(source.events.suffix(2)), ["cancel get 0", "cancel get 1"])
  }

  func testAFailureMakesRoomAndIsRepeatedWhenItsKeyIsWantedAgain() {
    let broken = ScriptedLevel(0, LevelScript(getFaults: [0: .failure], hasSlowGets: true))
    let prefetcher = prefetcher(broken.cache, 1)
    for _ in 0..<2 {
      prefetcher.want([0])
      broken.settle(0)
      XCTAssertEqual(prefetcher.remaining, 0)
    }
    XCTAssertEqual(broken.events, ["get 0", "get 0"])
  }

  func testNothingBeginsInAPause() {
    let prefetcher = prefetcher(source.cache, 1)
    prefetcher.want([0, 1])
    prefetcher.pause()
    source.settle(0)
    prefetcher.want([2, 3])
    XCTAssertEqual(source.events, ["get 0"])
    prefetcher.resume()
    XCTAssertEqual(source.events, ["get 0", "get 2"])
  }

  func testThreadsThatWantOtherKeysEndWithTheLast() async {
    let running = Lock((now: 0, most: 0))
    let origin = Fetcher<Int, Int> { key async -> Int in
      running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      return key
    }
    let level: Cache<Int, Int> = .dictionary()
    let prefetcher = Prefetcher(level + origin.limited(toConcurrentGets: 3).pooled())
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<200 {
        let first = (thread * 7 + round) % 50
        prefetcher.want(first..<first + 20)
        if round % 9 == thread { prefetcher.pause() } else { prefetcher.resume() }
      }
    }
    prefetcher.resume()
    prefetcher.want(100..<120)
    await rest(prefetcher)
    let found = (100..<120).map { level.get($0).outcome?.value }
    XCTAssertEqual(found, Array(100..<120))
    XCTAssertLessThanOrEqual(running.withLock { $0.most }, 3)
  }
}

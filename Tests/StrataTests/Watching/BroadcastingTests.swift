import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BroadcastingTests: XCTestCase {
  /// Takes the given number of changes from the stream. The stream buffers changes that were
  /// reported before this call.
  private func take(
    _ count: Int, of stream: AsyncStream<CacheChange<Int>>
  ) async -> [CacheChange<Int>] {
    var changes: [CacheChange<Int>] = []
    for await change in stream.prefix(count) { changes.append(change) }
    return changes
  }

  func testOnlyChangesOfTheKeyAreReportedInOrder() async {
    let (cache, changes) = Cache<String, Int>.dictionary(["a": 0]).broadcasting()
    let stream = changes.stream(for: "a")
    _ = cache.set("a", 1)
    _ = cache.set("b", 9)
    _ = cache.remove("a")
    _ = cache.get("a")
    _ = cache.set("a", 2)
    _ = cache.clear()
    let seen = await take(4, of: stream)
    XCTAssertEqual(seen, [.stored(1), .removed, .stored(2), .removed])
    XCTAssertEqual(seen.map(\.value), [1, nil, 2, nil])
  }

  func testABackFillIsAChange() async {
    let (upper, changes) = Cache<String, Int>.dictionary().broadcasting()
    let stream = changes.stream(for: "abc")
    _ = (upper + Fetcher(offMainThread: false) { $0.count }).get("abc")
    let seen = await take(1, of: stream)
    XCTAssertEqual(seen, [.stored(3)])
  }

  func testAFailedWriteIsNotReported() async {
    let level = ScriptedLevel(0, LevelScript(writeFaults: [1: .failure]))
    let (cache, changes) = level.cache.broadcasting()
    let stream = changes.stream(for: 1)
    _ = cache.set(1, 1)
    _ = cache.clear()
    let seen = await take(1, of: stream)
    XCTAssertEqual(seen, [.removed])
  }

  func testTheLastReportedChangeIsTheStoredValue() async {
    let level = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let (cache, changes) = level.cache.broadcasting()
    let stream = changes.stream(for: 0)
    for value in 1...3 { _ = cache.set(0, value) }
    // Tries to settle the writes in reverse order. However, each write reaches the level only after
    // the previous write has settled.
    while level.settle(level.waiting - 1) {}
    let seen = await take(3, of: stream)
    XCTAssertEqual(seen, [.stored(1), .stored(2), .stored(3)])
    XCTAssertEqual(level.rest.contents[0], 3)
  }

  func testAGetSeesTheWritesCalledBeforeIt() {
    let level = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let cache = level.cache.broadcasting().cache
    _ = cache.set(0, 1)
    _ = cache.set(0, 2)
    let answer = cache.get(0)
    while level.settle(0) {}
    XCTAssertEqual(answer.answer, "2")
  }

  func testASlowReaderLosesTheOldest() async {
    let (cache, changes) = Cache<Int, Int>.dictionary().broadcasting()
    let (few, one) = (
      changes.stream(for: 0, bufferingNewest: 2), changes.stream(for: 0, bufferingNewest: 0)
    )
    for value in 1...5 { _ = cache.set(0, value) }
    let (seen, last) = (await take(2, of: few), await take(1, of: one))
    XCTAssertEqual([seen, last], [[.stored(4), .stored(5)], [.stored(5)]])
  }

  func testAReaderThatEndsIsForgotten() async {
    let (cache, changes) = Cache<Int, Int>.dictionary().broadcasting()
    var streams: [AsyncStream<CacheChange<Int>>]? = (0..<3).map { changes.stream(for: $0 % 2) }
    XCTAssertEqual(changes.listeners, 3)
    streams = nil
    XCTAssertNil(streams)
    XCTAssertEqual(changes.listeners, 0)
    let task = Task { for await _ in changes.stream(for: 7) {} }
    task.cancel()
    _ = await task.value
    XCTAssertEqual(changes.listeners, 0)
    _ = cache.set(0, 1)
  }

  func testItShowsInThePlanAndToObservers() {
    let (cache, _) = Cache<Int, Int>.dictionary().named("a").broadcasting()
    let stages = Journal<String>()
    _ = cache.observed { event in stages.note(event.stage) }.set(0, 1)
    XCTAssertEqual(cache.plan.description, #"dictionary.named("a").broadcasting()"#)
    XCTAssertEqual(stages.entries.first, "a")
  }

  func testThreadsCanBeginAndEndReading() {
    let (cache, changes) = Cache<Int, Int>.dictionary().broadcasting()
    let kept = Lock<[AsyncStream<CacheChange<Int>>]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<50 {
        let stream = changes.stream(for: round % 2)
        kept.withLock { $0.append(stream) }
        _ = changes.stream(for: round % 2)
        _ = cache.set(round % 2, thread)
      }
    }
    XCTAssertEqual(changes.listeners, 400)
    kept.withLock { $0 = [] }
    XCTAssertEqual(changes.listeners, 0)
  }
}

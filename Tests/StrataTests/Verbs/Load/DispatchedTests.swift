import Dispatch
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class DispatchedTests: XCTestCase {
  private static let mark = DispatchSpecificKey<String>()
  private let level = ScriptedLevel(0, LevelScript(contents: [0: 5]))
  private let queue = DispatchQueue(label: "shelf")
  private let places = Journal<String>()

  override func setUp() { queue.setSpecific(key: Self.mark, value: "on the queue") }

  /// A level that records on which queue each call runs.
  private var watched: Cache<Int, Int> {
    let (level, places) = (level.cache, places)
    @Sendable func note() { places.note(DispatchQueue.getSpecific(key: Self.mark) ?? "elsewhere") }
    return Cache(
      get: { key in
        note()
        return level.get(key)
      },
      set: { key, value in
        note()
        return level.set(key, value)
      },
      remove: { key in
        note()
        return level.remove(key)
      },
      clear: {
        note()
        return level.clear()
      },
      memoryWarning: {
        note()
        level.memoryWarning()
      })
  }

  func testAllOperationsRunOnTheQueue() throws {  // T57
    let cache = watched.dispatched(on: queue)
    let get = cache.get(0)
    let writes = [cache.set(0, 1), cache.remove(0), cache.clear()]
    cache.memoryWarning()
    XCTAssertEqual(try get.wait(for: .seconds(60)), 5)
    for write in writes { XCTAssertNoThrow(try write.wait(for: .seconds(60))) }
    queue.sync {}
    XCTAssertEqual(places.entries, Array(repeating: "on the queue", count: 5))
    XCTAssertEqual(level.events.filter { $0 != "warn" }, ["get 0", "set 0 1", "remove 0", "clear"])
  }

  /// A warning that reaches the level late would evict values that were stored after the warning.
  func testAWarningKeepsItsPositionOnAConcurrentQueue() throws {
    for _ in 0..<200 {
      let journal = Journal<String>()
      let level = Cache<Int, Int>(
        get: { _ in .miss },
        set: { _, _ in
          journal.note("set")
          return Promise()
        },
        remove: { _ in Promise() }, clear: { Promise() },
        memoryWarning: {
          for _ in 0..<20 { sched_yield() }
          journal.note("warn")
        })
      let cache = level.dispatched(on: DispatchQueue(label: "many", attributes: .concurrent))
      cache.memoryWarning()
      try cache.set(0, 1).wait(for: .seconds(60))
      XCTAssertEqual(journal.entries, ["warn", "set"])
    }
  }

  func testAnOperationCancelledInTheQueueDoesNotReachTheLevel() {  // T68
    let cache = watched.dispatched(on: queue)
    queue.suspend()
    let (get, set) = (cache.get(0), cache.set(0, 1))
    get.cancel()
    set.cancel()
    queue.resume()
    queue.sync {}
    XCTAssertEqual([get.answer, set.answer], ["cancelled", "cancelled"])
    XCTAssertEqual(level.events, [])
  }

  func testCancellingReachesALevelThatIsRunning() {  // T68
    let slow = ScriptedLevel(0, LevelScript(contents: [0: 5], hasSlowGets: true))
    let get = slow.cache.dispatched(on: queue).get(0)
    queue.sync {}
    get.cancel()
    XCTAssertEqual(slow.events, ["get 0", "cancel get 0"])
  }

  func testAWriteOnAConcurrentQueueIsSeenByTheGetAfterIt() throws {
    let queue = DispatchQueue(label: "shelves", attributes: .concurrent)
    let cache = Cache<Int, Int>.memory().dispatched(on: queue)
    for number in 0..<300 {
      _ = cache.set(0, number)
      XCTAssertEqual(try cache.get(0).wait(for: .seconds(60)), number)
    }
  }

  func testAFetcherAlsoRunsOnTheQueue() throws {
    let fetcher = watched.fetcher.dispatched(on: queue)
    XCTAssertEqual(try fetcher.get(0).wait(for: .seconds(60)), 5)
    XCTAssertEqual(places.entries, ["on the queue"])
    XCTAssertEqual(fetcher.set(0, 1).answer, "()")
    XCTAssertEqual(fetcher.plan.description, "cache.dispatched(on: shelf)")
    XCTAssertEqual(watched.dispatched(on: queue).plan, fetcher.plan)
  }

  func testAWriteCancelledWhileItBeginsRunsBeforeALaterOne() throws {
    let (begun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let landed = Lock<[Int]>([])
    let level = Cache<Int, Int>(
      get: { _ in .miss },
      set: { _, value in
        if value == 1 {
          begun.signal()
          mayGoOn.wait()
        }
        landed.withLock { $0.append(value) }
        return Promise()
      })
    let cache = level.dispatched(on: DispatchQueue(label: "many", attributes: .concurrent))
    let first = cache.set(0, 1)
    begun.wait()
    first.cancel()
    let second = cache.set(0, 2)
    mayGoOn.signal()
    try second.wait(for: .seconds(300))
    XCTAssertEqual(landed.withLock { $0 }, [1, 2])
  }
}

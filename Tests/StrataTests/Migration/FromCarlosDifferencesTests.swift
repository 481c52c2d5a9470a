import Foundation
import Strata
import StrataMigration
import XCTest

/// Tests the differences from Carlos that the compiler doesn't report, in the order of the
/// migration guide.
final class FromCarlosDifferencesTests: MigrationCase {
  private var directory = URL(fileURLWithPath: "/")

  override func setUp() {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  }

  override func tearDown() { try? FileManager.default.removeItem(at: directory) }

  func testTheClosureOfASetTakesTheKeyFirst() {
    let arguments = Journal<String>()
    let cache = Cache<String, String>(
      get: { key in key },
      set: { key, value in arguments.note("\(key) \(value)") })
    _ = cache.set("key", "value")
    XCTAssertEqual(arguments.entries, ["key value"])
  }

  func testACallbackRunsOnTheThreadThatSettles() {
    let later = Later<Int>()
    let threads = Journal<ObjectIdentifier>()
    later.promise.onSuccess { _ in threads.note(ObjectIdentifier(Thread.current)) }
    let ended = DispatchSemaphore(value: 0)
    Thread {
      threads.note(ObjectIdentifier(Thread.current))
      later.continuation.succeed(1)
      ended.signal()
    }.start()
    ended.wait()
    XCTAssertEqual(threads.count, 2)
    XCTAssertEqual(Set(threads.entries).count, 1)
    XCTAssertFalse(threads.entries.contains(ObjectIdentifier(Thread.current)))
  }

  func testTheListenersOfASecondPromiseRunAfterTheCallbackThatSettlesIt() {
    let events = Journal<String>()
    let (first, second) = (Later<Int>(), Later<Int>())
    second.promise.onSuccess { _ in events.note("second") }
    first.promise.onSuccess { value in
      events.note("begins")
      second.continuation.succeed(value)
      events.note("ends")
    }
    first.continuation.succeed(1)
    XCTAssertEqual(events.entries, ["begins", "ends", "second"])
  }

  func testAFailingSetOfASumEndsAfterEveryLevel() {
    let writes = Journal<Promise<Void>.Continuation>()
    let slow = Cache<String, Data>(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { _, _ in Promise { writes.note($0) } })
    let write = (Cache.failing(CacheError.timedOut()) + slow).set("a", Data())
    XCTAssertNil(write.outcome?.error)
    writes.entries.forEach { $0.succeed() }
    XCTAssertEqual(write.outcome?.error as? CacheError, .timedOut())
  }

  func testAZipEndsAtTheFirstFailureAndCancelsTheOtherPromise() {
    let cancelled = Journal<Bool>()
    let other = Later<Int> { cancelled.note(true) }
    let both = other.promise.zip(Promise<Int>(error: CacheError.notFound))
    XCTAssertEqual(both.outcome?.error as? CacheError, .notFound)
    XCTAssertEqual(cancelled.entries, [true])
  }

  func testATimeoutStopsTheWork() {
    let (time, clock) = TimeSource.manual()
    let cancelled = Journal<Bool>()
    let work = Later<Int> { cancelled.note(true) }
    let bounded = work.promise.timeout(after: .seconds(1), clock: time)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(bounded.outcome?.error as? CacheError, .timedOut(after: .seconds(1)))
    XCTAssertEqual(cancelled.entries, [true])
  }

  func testARecordTakesAtMostHalfOfTheCapacity() {
    let disk = Cache.disk("half", in: directory, capacity: 100_000, offMainThread: false)
    XCTAssertNotNil(disk.set("a", Data(count: 49_000)).outcome?.value)
    let error = disk.set("a", Data(count: 50_000)).outcome?.error
    guard case DiskError.valueTooLarge? = error else { return XCTFail("\(error as Any)") }
  }

  func testAClearLeavesASegmentAndALockFile() throws {
    let disk = Cache.disk("cleared", in: directory, offMainThread: false)
    XCTAssertNotNil(disk.set("a", Data(count: 1000)).outcome?.value)
    XCTAssertNotNil(disk.clear().outcome?.value)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: directory.appendingPathComponent("cleared").path)
    XCTAssertEqual(names.filter { $0.hasSuffix(".strata2") }.count, 1)
    XCTAssertTrue(names.contains("processes.lock"))
  }

  func testAFixedDeadlineIsMadeFromADate() {
    let stamped: Cache<String, Stamped<Data>> = .memory()
    let date = Date(timeIntervalSinceNow: 3600)
    let cache = stamped.expiring(at: .init(date))
    _ = cache.set("a", bytes("x"))
    XCTAssertEqual(cache.get("a").outcome?.value, bytes("x"))
  }
}

import Foundation
import Strata
import XCTest

final class ThreadStatementTests: StatementCase {
  private let article = "ThreadsAndCancellation"

  func testAHitInMemoryIsSynchronous() throws {
    try expect(article, states: "| a get that memory answers | the caller's thread, synchronously.")
    _ = memory.set("a", "value")
    XCTAssertEqual(memory.get("a").outcome?.value, "value")
  }

  func testAPlainFunctionRunsOnTheCallersThread() throws {
    try expect(
      article, states: "| your other plain functions (conditions, key maps, other codecs) |")
    let caller = ObjectIdentifier(Thread.current)
    let threads = Journal<ObjectIdentifier>()
    let fetcher = Fetcher<String, String>(offMainThread: false) { key in
      threads.note(ObjectIdentifier(Thread.current))
      return key
    }
    _ = try ended(fetcher.conditioned { _ in true }.get("a"))
    XCTAssertEqual(threads.entries, [caller])
  }

  func testTheMainThreadTouchesNoFile() throws {
    try expect(article, states: "a queue for operations that are called on the main thread")
    try expect(
      article, states: "If that is the main thread, a queue processes values of more than 512 bytes"
    )
    try expect(
      "TheDiskLevel",
      states: "on the main thread, no operation touches a file, and a codec above the level")
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let threads = Journal<Bool>()
    let pages: Cache<String, String> =
      .disk("pages", in: directory)
      <*> Codec(
        decode: { (data: Data) throws -> String in
          threads.note(Thread.isMainThread)
          return String(decoding: data, as: UTF8.self)
        }, encode: { (text: String) throws -> Data in Data(text.utf8) })
    let text = String(repeating: "text", count: 150)
    _ = pages.set("a", text)
    XCTAssertEqual(try pages.get("a").wait(for: .seconds(60)), text)
    XCTAssertEqual(threads.entries, [false])
  }

  func testACallbackOfASettledPromiseRunsBeforeTheCallReturns() throws {
    try expect(
      article,
      states: "If the promise already has a result, the callback runs synchronously on")
    let events = Journal<String>()
    Promise(1).onSuccess { _ in events.note("callback") }
    events.note("returned")
    XCTAssertEqual(events.entries, ["callback", "returned"])
  }

  func testAGetSeesTheWritesThatWereCalledBefore() throws {
    try expect(article, states: "a get sees all earlier writes of its key, finished or not.")
    let queue = DispatchQueue(label: "statements")
    let cache = below.dispatched(on: queue)
    queue.suspend()
    let (write, get) = (cache.set("a", "new"), cache.get("a"))
    XCTAssertNil(write.outcome?.value)
    queue.resume()
    XCTAssertEqual(try get.wait(), "new")
  }

  func testWorkStopsWithItsLastInterest() throws {
    try expect(article, states: "title.cancel() // The load continues, because length needs it.")
    let stops = Journal<String>()
    let load = Later<String> { stops.note("stopped") }
    let (title, length) = (load.promise.map { $0.prefix(80) }, load.promise.map { $0.count })
    title.cancel()
    XCTAssertEqual(stops.entries, [])
    length.cancel()
    XCTAssertEqual(stops.entries, ["stopped"])
  }

  func testOnlyThreeListenersHoldAnInterest() throws {
    try expect(
      article, states: "| a task that awaits the `value` of the promise | an `onFailure` callback |"
    )
    for isInterest in [true, false] {
      let stops = Journal<String>()
      let load = Later<Int> { stops.note("stopped") }
      load.promise.onFailure { _ in }.onCancel {}.observed { _ in }
      if isInterest { load.promise.onCompletion { _ in } }
      load.promise.map { $0 }.cancel()
      XCTAssertEqual(stops.count, isInterest ? 0 : 1)
    }
  }

  func testReleasingAPromiseWithdrawsNoInterest() throws {
    try expect(article, states: "**Releasing a promise** doesn't cancel its work")
    let writes = Journal<Promise<Void>.Continuation>()
    let stops = Journal<String>()
    let slow = Cache<String, String>(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { _, _ in
        Promise { continuation in
          continuation.onCancel { stops.note("stopped") }
          writes.note(continuation)
        }
      })
    _ = slow.set("a", "value")
    XCTAssertEqual(writes.entries.map { $0.succeed() }, [true])
    XCTAssertEqual(stops.count, 0)
  }

  func testACancelledQueuedWriteNeverBegins() throws {
    try expect(article, states: "never begins if it is cancelled.")
    let queue = DispatchQueue(label: "statements")
    let values = Journal<String>()
    let cache = level(values) { Promise() }.dispatched(on: queue)
    queue.suspend()
    let writes = ["one", "two"].map { cache.set("a", $0) }
    writes[1].cancel()
    queue.resume()
    try writes[0].wait()
    queue.sync {}
    XCTAssertEqual(values.entries, ["one"])
  }

  func testACancelledWriteOfASumReachesEveryLevel() throws {
    try expect(article, states: "**A write of a sum** reaches every level even if it is cancelled")
    let (values, first) = (Journal<String>(), Later<Void>())
    let cache = below + level(values) { first.promise }
    let writes = ["one", "two"].map { cache.set("a", $0) }
    writes[1].cancel()
    first.continuation.succeed()
    XCTAssertNotNil(writes[0].outcome?.value)
    XCTAssertEqual(values.entries, ["one", "two"])
    XCTAssertEqual(below.get("a").outcome?.value, "two")
  }

  /// Returns a level that records the values that are set.
  private func level(
    _ values: Journal<String>, _ end: @escaping @Sendable () -> Promise<Void>
  ) -> Cache<String, String> {
    Cache(
      get: { _ in Promise(error: CacheError.notFound) },
      set: { _, value in
        values.note(value)
        return end()
      })
  }

  func testCancellationIsNotAFailure() throws {
    try expect(article, states: "Cancellation isn't a failure.")
    let origin = Fetcher<String, String> { _ in Promise(outcome: .cancelled) }
    let answers = [
      origin.recovering { _, _ in "default" }.get("a"), origin.retrying(3).get("a"),
      (origin + below).get("a"),
    ]
    for answer in answers {
      guard case .cancelled = try ended(answer) else { return XCTFail("\(answer)") }
    }
  }
}

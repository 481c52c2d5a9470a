import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests which operations of the disk level run on the caller's thread and which run in the
/// background.
final class CacheSegmentLogTests: DiskTestCase {
  private let waiting = Lock<[@Sendable () -> Void]>([])
  private let long = Data(count: 1 << 20 + 1)
  private lazy var engine = log(capacity: 16 << 20)
  private lazy var cache = Cache<String, Data>.disk(
    engine, format: .bytes, plan: .level("log", .storage),
    later: { [waiting] work in waiting.withLock { $0.append(work) } })

  /// Runs background work until no work is waiting.
  private func settle() {
    while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }

  private func stored(_ key: String) -> Data? { engine.value(key) }

  func testOnlyALongWriteRunsInTheBackground() throws {
    for (count, isReady) in [(0, true), (1 << 20, true), (1 << 20 + 1, false), (4 << 20, false)] {
      let value = Data(repeating: 7, count: count)
      let write = cache.set("a", value)
      XCTAssertEqual(write.outcome != nil, isReady, "\(count)")
      settle()
      XCTAssertNoThrow(try write.outcome?.get())
      XCTAssertEqual(stored("a"), value)
    }
    XCTAssertTrue(engine.queue.isQuiet)
  }

  /// A removal and a `clear` write no value, so they run on the caller's thread. In this test,
  /// `writingUpTo: 0` moves the write of every nonempty value to another thread.
  func testARemovalIsNeverALongWrite() {
    let cache = Cache<String, Data>.disk(
      engine, format: .bytes, plan: .level("log", .storage), writingUpTo: 0,
      later: { [waiting] work in waiting.withLock { $0.append(work) } })
    let write = cache.set("a", Data([1]))
    XCTAssertNil(write.outcome)
    settle()
    XCTAssertEqual(stored("a"), Data([1]))
    XCTAssertNoThrow(try XCTUnwrap(cache.remove("a").outcome).get())
    XCTAssertNil(stored("a"))
    XCTAssertNoThrow(try XCTUnwrap(cache.clear().outcome).get())
  }

  func testALongWriteThatFailsStatesItsReason() {
    let write = cache.set("a", Data(count: 9 << 20))
    settle()
    XCTAssertThrowsError(try write.outcome?.get()) { error in
      guard case DiskError.valueTooLarge = error else { return XCTFail("\(error)") }
    }
  }

  func testOperationsOnAKeyWaitForItsLongWriteAndOtherKeysDoNot() throws {
    let first = cache.set("a", long)
    let get = cache.get("a")
    let second = cache.set("a", Data([2]))
    let other = cache.set("b", Data([3]))
    XCTAssertNil(get.outcome)
    XCTAssertNil(second.outcome)
    XCTAssertNotNil(other.outcome)
    XCTAssertEqual(try cache.get("b").outcome?.get(), Data([3]))
    settle()
    XCTAssertNoThrow(try first.outcome?.get())
    XCTAssertEqual(try get.outcome?.get(), long)
    XCTAssertEqual(stored("a"), Data([2]))
  }

  func testARemoveOrClearRunsAfterAnEarlierLongWrite() throws {
    for end in [cache.remove, { [cache] _ in cache.clear() }] {
      let write = cache.set("a", long)
      let done = end("a")
      XCTAssertNil(done.outcome)
      settle()
      XCTAssertNoThrow(try write.outcome?.get())
      XCTAssertNoThrow(try done.outcome?.get())
      XCTAssertNil(stored("a"))
    }
    XCTAssertTrue(engine.queue.isQuiet)
  }

  func testTwoCachesOfADirectoryShareOneOrder() throws {
    let other = Cache<String, Data>.disk(engine, format: .bytes, plan: .level("log", .storage))
    _ = cache.set("a", long)
    let write = other.set("a", Data([2]))
    XCTAssertNil(write.outcome)
    settle()
    XCTAssertEqual(stored("a"), Data([2]))
  }

  func testALongWriteThatIsCancelledInTimeIsNotBegun() throws {
    let write = cache.set("a", long)
    let next = cache.set("a", Data([2]))
    write.cancel()
    settle()
    XCTAssertTrue(write.outcome?.isCancelled == true)
    XCTAssertNoThrow(try next.outcome?.get())
    XCTAssertEqual(stored("a"), Data([2]))
    XCTAssertEqual(engine.state.withLock { $0.counts.setBytes }, 72 + 1 + 1)
  }

  /// A write that is cancelled too late still reaches the log. The next write to the same key waits
  /// for the cancelled write.
  func testALongWriteThatIsCancelledTooLateKeepsItsPositionInTheOrder() throws {
    let faulty = FaultyFileSystem()
    let engine = log(capacity: 16 << 20, files: faulty.files)
    let waiting = waiting
    let cache = Cache<String, Data>.disk(
      engine, format: .bytes, plan: .level("log", .storage),
      later: { work in waiting.withLock { $0.append(work) } })
    let write = cache.set("a", long)
    let (isBehind, hasBegun) = (Lock(false), Lock(false))
    faulty.setFault { _, call in
      guard call == "append", !isBehind.withLock({ $0 }) else { return nil }
      isBehind.withLock { $0 = true }
      write.cancel()
      _ = engine.queue.write(KeyVersions.hash("a")) {
        hasBegun.withLock { $0 = true }
        return Promise()
      }
      XCTAssertFalse(hasBegun.withLock { $0 })
      return nil
    }
    settle()
    XCTAssertTrue(write.outcome?.isCancelled == true)
    XCTAssertTrue(hasBegun.withLock { $0 })
    XCTAssertEqual(engine.value("a"), long)
    XCTAssertTrue(engine.queue.isQuiet)
  }
}

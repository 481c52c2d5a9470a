import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ListenToMemoryWarningsTests: XCTestCase {
  private let (source, warn) = MemoryWarningSource.manual()
  private let journal = Journal<String>()

  private func cache(_ name: String) -> Cache<Int, Int> {
    let journal = journal
    return Cache(
      get: { _ in Promise(error: CacheError.notFound) }, set: { _, _ in Promise() },
      clear: {
        journal.note("\(name) cleared")
        return Promise()
      },
      memoryWarning: { journal.note("\(name) warned") })
  }

  func testOneWarningIsOneWarningUntilTheTokenIsCancelled() throws {  // T52
    warn()
    let token = try cache("a").listenToMemoryWarnings(from: source)
    warn()
    warn()
    XCTAssertEqual(journal.drain(), ["a warned", "a warned"])
    token.cancel()
    token.cancel()
    warn()
    XCTAssertEqual(journal.entries, [])
  }

  func testReleasingTheTokenEndsTheListening() throws {  // T52
    var token: MemoryWarningToken? = try cache("a").listenToMemoryWarnings(from: source)
    XCTAssertNotNil(token)
    warn()
    token = nil
    warn()
    XCTAssertEqual(journal.entries, ["a warned"])
  }

  func testEveryLevelOfASumIsWarned() throws {
    let memory: Cache<Int, Int> = .memory()
    _ = memory.set(1, 1)
    let token = try (memory + cache("a") + cache("b")).pooled().listenToMemoryWarnings(from: source)
    warn()
    XCTAssertEqual(journal.entries, ["a warned", "b warned"])
    XCTAssertEqual(memory.get(1).answer, "not found")
    token.cancel()
  }

  func testAWarningMayEndTheListening() throws {
    let held = Lock<MemoryWarningToken?>(nil)
    let journal = journal
    let cache = Cache<Int, Int>(
      get: { _ in Promise(error: CacheError.notFound) }, set: { _, _ in Promise() },
      memoryWarning: {
        journal.note("warned")
        held.withLock { $0.take() }?.cancel()
      })
    held.withLock { [token = try? cache.listenToMemoryWarnings(from: source)] in $0 = token }
    warn()
    warn()
    XCTAssertEqual(journal.entries, ["warned"])
  }

  func testCancellingDuringWarningsIsSafe() throws {
    for _ in 0..<300 {
      let token = try cache("a").listenToMemoryWarnings(from: source)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [warn] in
        warn()
        done.signal()
      }
      token.cancel()
      let before = journal.count
      done.wait()
      XCTAssertLessThanOrEqual(journal.count, before + 1)
    }
  }

  func testOneOfSeveralThreadsEndsTheListening() throws {
    for _ in 0..<50 {
      let (warn, ends, warnings) = (Lock<(@Sendable () -> Void)?>(nil), Lock(0), Lock(0))
      let source = MemoryWarningSource { listener in
        warn.withLock { $0 = listener }
        return { ends.withLock { $0 += 1 } }
      }
      let token = try MemoryWarningToken(source) { warnings.withLock { $0 += 1 } }
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        if thread % 2 == 0 { token.cancel() } else { warn.withLock { $0 }?() }
      }
      let before = warnings.withLock { $0 }
      warn.withLock { $0 }?()
      token.cancel()
      XCTAssertEqual(warnings.withLock { $0 }, before)
      XCTAssertEqual(ends.withLock { $0 }, 1)
    }
  }
}

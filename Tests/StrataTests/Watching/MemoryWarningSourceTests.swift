import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class MemoryWarningSourceTests: XCTestCase {
  private let (source, warn) = MemoryWarningSource.manual()
  private let journal = Journal<String>()

  private func cache(_ name: String) -> Cache<Int, Int> {
    Cache(
      get: { _ in Promise(error: CacheError.notFound) }, set: { _, _ in Promise() },
      memoryWarning: { [journal] in journal.note("\(name) warned") })
  }

  func testEachListenerIsCalledAndEndingOneDoesNotAffectTheRest() throws {
    let tokens = try ["a", "b", "c"].map { try cache($0).listenToMemoryWarnings(from: source) }
    tokens[1].cancel()
    warn()
    XCTAssertEqual(journal.entries, ["a warned", "c warned"])
    withExtendedLifetime(tokens) {}
  }

  func testASourceMayWarnBeforeItHasBegun() throws {
    let (journal, cache) = (journal, cache("a"))
    let eager = MemoryWarningSource { warn in
      warn()
      return { journal.note("ended") }
    }
    let token = try cache.listenToMemoryWarnings(from: eager)
    XCTAssertEqual(journal.entries, ["a warned"])
    token.cancel()
    XCTAssertEqual(journal.entries, ["a warned", "ended"])
  }

  func testASourceThatCannotStartThrows() {
    let none = MemoryWarningSource { _ in throw MemoryWarningError.unavailable(tried: ["a", "b"]) }
    XCTAssertThrowsError(try cache("a").listenToMemoryWarnings(from: none)) { error in
      XCTAssertTrue("\(error)".hasPrefix("no memory warnings on this system: a; b. Use a kernel"))
    }
  }

  func testThreadsCanBeginAndEndListening() throws {
    let (source, journal) = (source, journal)
    let kept = Lock<[@Sendable () -> Void]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<50 {
        guard let one = try? source.listen({ journal.note("kept") }),
          let other = try? source.listen({ journal.note("ended") })
        else { return XCTFail("The source should accept listeners.") }
        kept.withLock { $0.append(one) }
        other()
      }
    }
    warn()
    XCTAssertEqual(journal.drain(), Array(repeating: "kept", count: 400))
    for end in kept.withLock({ $0 }) { end() }
    warn()
    XCTAssertEqual(journal.entries, [])
  }
}

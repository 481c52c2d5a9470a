import StrataLaws
import XCTest

@testable import Strata

/// Which reads are under way, and which of them a write has overtaken.
final class ForwardsTests: XCTestCase {
  private let lower = ScriptedLevel(1, LevelScript(contents: [0: 2, 1: 3], hasSlowGets: true))

  func testAReadThatBeginsAfterTheWriteStoresWhatItBrings() {
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let updates = cache.forwarding(to: lower.cache.fetcher)
    let early = updates.values(0)
    cache.set(9, for: 0)
    let late = updates.values(0)
    while lower.settle(0) {}
    XCTAssertEqual(cache.get(0).outcome?.value, 2)
    withExtendedLifetime((early, late)) {}
  }

  func testAWriteDetachesTheLoadOfAPooledFetcher() {
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let updates = cache.forwarding(to: lower.cache.fetcher.pooled())
    let early = updates.values(0)
    cache.removeValue(for: 0)
    let late = updates.values(0)
    XCTAssertEqual(lower.events, ["get 0", "get 0"])
    withExtendedLifetime((early, late)) {}
  }

  func testNothingIsLeftOfAReadThatIsOver() {
    let cache = Cache<Int, Int>.memory(capacity: 10)
    let forwards = cache.spine.forwards
    let stream = cache.forwarding(to: Fetcher { _ in 2 }).values(0)
    XCTAssertTrue(forwards.isQuiet)
    var left: AsyncThrowingStream<Update<Int>, any Error>? =
      cache.forwarding(to: lower.cache.fetcher).values(0)
    XCTAssertFalse(forwards.isQuiet)
    XCTAssertNotNil(left)
    left = nil
    XCTAssertTrue(forwards.isQuiet)
    withExtendedLifetime(stream) {}
  }

  func testAWriteOvertakesTheReadsOfItsKeyThatBeganBeforeIt() {
    let forwards = Forwards<Int>()
    let journal = Journal<String>()
    let reads = [0, 1, 0].map { key in
      Forwards<Int>.Read(key) { journal.note("forget \($0.map { "\($0)" } ?? "all")") }
    }
    forwards.begin(reads[0])
    forwards.begin(reads[1])
    XCTAssertFalse(forwards.isQuiet)
    _ = forwards.write(0) { Promise() }
    forwards.begin(reads[2])
    XCTAssertEqual(journal.entries, ["forget 0"])
    for (place, read) in reads.enumerated() {
      forwards.store(read) {
        journal.note("store \(place)")
        return Promise()
      }
      forwards.end(read)
      forwards.end(read)
    }
    XCTAssertEqual(journal.entries, ["forget 0", "store 1", "store 2"])
    XCTAssertTrue(forwards.isQuiet)
  }

  func testWhatAReadHasStoredOvertakesTheReadsThatBeganBeforeIt() {
    let forwards = Forwards<Int>()
    let journal = Journal<Int>()
    let reads = (0..<2).map { _ in Forwards<Int>.Read(0) { _ in } }
    for read in reads { forwards.begin(read) }
    for place in [1, 0] {
      forwards.store(reads[place]) {
        journal.note(place)
        return Promise()
      }
    }
    XCTAssertEqual(journal.entries, [1])
  }
}

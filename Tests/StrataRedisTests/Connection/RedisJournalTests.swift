import XCTest

@testable import StrataRedis

final class RedisJournalTests: XCTestCase {
  private let epoch = RedisEpoch(key: [0])

  func testALaterWriteThatSucceedsEndsAnEntryAndAnEarlierOneDoesNot() {
    let journal = RedisJournal()
    let places = (0..<3).map { _ in journal.nextPlace() }
    journal.add([1], epoch, at: places[1])
    XCTAssertTrue(journal.hides([1], epoch))
    XCTAssertFalse(journal.hides([2], epoch))
    journal.succeeded([1], epoch, at: places[0])
    XCTAssertTrue(journal.hides([1], epoch))
    journal.succeeded([1], epoch, at: places[2])
    XCTAssertTrue(journal.isEmpty)
  }

  func testAFullJournalHidesAllKeysOfTheEpoch() {
    let (journal, other) = (RedisJournal(capacity: 2), RedisEpoch(key: [1]))
    for name: UInt8 in 0..<3 { journal.add([name], epoch, at: journal.nextPlace()) }
    XCTAssertTrue(journal.hides([9], epoch))
    XCTAssertFalse(journal.hides([9], other))
    let entries = journal.takeUnsent()
    XCTAssertEqual(entries.map(\.name), [nil])
    journal.succeeded(nil, epoch, at: entries[0].place)
    XCTAssertTrue(journal.isEmpty)
  }

  func testLongNamesFillTheJournal() {
    let journal = RedisJournal(byteCapacity: 10)
    func name(_ first: UInt8) -> [UInt8] { [first, 0, 0, 0] }
    for first: UInt8 in [1, 2, 1, 2] { journal.add(name(first), epoch, at: journal.nextPlace()) }
    journal.succeeded(name(1), epoch, at: journal.nextPlace())
    journal.add(name(3), epoch, at: journal.nextPlace())
    journal.sendAgain()
    XCTAssertEqual(journal.takeUnsent().count, 2)
    XCTAssertFalse(journal.hides(name(9), epoch))
    journal.add(name(4), epoch, at: journal.nextPlace())
    XCTAssertTrue(journal.hides(name(9), epoch))
    journal.succeeded(nil, epoch, at: journal.nextPlace())
    XCTAssertTrue(journal.isEmpty)
    journal.add(name(1), epoch, at: journal.nextPlace())
    XCTAssertFalse(journal.hides(name(9), epoch))
  }

  func testEntriesAreSentOnceForEachConnection() {
    let journal = RedisJournal()
    journal.add([1], epoch, at: journal.nextPlace())
    XCTAssertEqual(journal.takeUnsent().count, 1)
    XCTAssertEqual(journal.takeUnsent().count, 0)
    journal.sendAgain()
    XCTAssertEqual(journal.takeUnsent().count, 1)
  }
}

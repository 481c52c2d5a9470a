import StrataLaws
import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How the oldest segment goes: in steps, giving way to whoever waits, and all of it or nothing.
final class SegmentLogDropTests: DiskTestCase {
  /// To forget all entries of a segment at once would hold the writers up for as long as a thousand
  /// of them take; whatever happens between two steps finds an index that can be used.
  func testASegmentIsForgottenInSteps() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 2 << 20,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(2 << 20, shortSegment: 0) }
    var random = SeededGenerator(seed: 17)
    var (newest, halves) = ([String: Data](), 0)
    for number in 0..<60_000 {
      let key = "\(Int.random(in: 0..<40_000, using: &random))"
      let value = Data("\(number)".utf8) + Data(count: 60)
      try log.set(value, for: key)
      newest[key] = value
      for work in number % 32 == 0 ? Self.taken(from: waiting) : [] {
        let before = log.state.withLock { $0.counts.evictions }
        work()
        XCTAssertLessThanOrEqual(log.state.withLock { $0.counts.evictions } - before, 512)
      }
      let isHalfForgotten = log.state.withLock { state in
        state.index.oldest.map { state.index.books[$0.book]!.forgotten > 0 } ?? false
      }
      guard isHalfForgotten else { continue }
      halves += 1
      let other = "\(Int.random(in: 0..<40_000, using: &random))"
      switch halves % 150 {
      case 149:
        try log.removeAll()
        newest = [:]
      case 74: try FileManager.default.removeItem(atPath: folder)
      case 36: log.state.withLock { $0.checkedAt = .min }
      default: break
      }
      if halves % 3 == 0 {
        try log.remove(other)
        newest[other] = nil
      }
      if let found = log.value(other) { XCTAssertEqual(found, newest[other]) }
    }
    XCTAssertGreaterThan(halves, 200)
    // The folder may just have been removed, and is looked at again now.
    log.state.withLock { $0.checkedAt = .min }
    _ = log.value("0")
    XCTAssertEqual(
      log.state.withLock { $0.index.live },
      (0..<40_000).filter { log.value("\($0)") != nil }.count)
  }

  func testTheWritersLockIsNotHeldWhileAllIsTrimmed() throws {
    // What is left to the background comes in steps, so that a set waits for one at most.
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 4 << 20,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(4 << 20, shortSegment: 0) }
    var steps = 0
    for number in 0..<6_000 {
      try log.set(Data(count: 1_000), for: "\(number)")
      _ = log.value("\(number)")
      guard number % 2 == 0 else { continue }
      let works = Self.taken(from: waiting)
      // A step, and files to close.
      XCTAssertLessThanOrEqual(works.count, 3)
      for work in works { work() }
      steps += works.count
    }
    XCTAssertGreaterThan(steps, 30)
    XCTAssertLessThanOrEqual(usedBytes(), 4 << 20)
  }

  /// Between two steps a set that waits goes first, and then goes on with the making of room.
  func testMakingRoomGivesWayToWhoWaits() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 4 << 20,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(4 << 20, shortSegment: 0) }
    var number = 0
    while waiting.withLock({ $0.isEmpty }) {
      try log.set(Data(count: 1_000), for: "\(number)")
      _ = log.value("\(number)")
      number += 1
    }
    log.state.withLock { $0.waiting = 1 }
    for work in Self.taken(from: waiting) { work() }
    XCTAssertEqual(waiting.withLock { $0.count }, 0)
    try log.set(Data(count: 1_000), for: "next")
    log.state.withLock { $0.waiting = 0 }
    for work in Self.taken(from: waiting) { work() }
    XCTAssertEqual(waiting.withLock { $0.count }, 1)
  }

  /// To close the last descriptor of a removed file takes as long as the file was: nobody waits for it.
  func testARemovedSegmentIsClosedInTheBackground() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let faulty = FaultyFileSystem()
    let log = SegmentLog(
      directory: folder, capacity: 1 << 20, files: faulty.files,
      background: { work in waiting.withLock { $0.append(work) } })
    var number = 0
    while !faulty.calls.contains("unlink") {
      try log.set(Data(count: 1_000), for: "\(number)")
      number += 1
    }
    let open = faulty.openDescriptors.count
    XCTAssertEqual(Self.taken(from: waiting).count, 1)
    XCTAssertEqual(faulty.openDescriptors.count, open - 1)
  }

  /// Nothing leaves before the segment that is written to is half full: until then nothing needs the
  /// room.
  func testWhatIsOldestStaysUntilItsRoomIsNeeded() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 4 << 20,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(4 << 20, shortSegment: 0) }
    var number = 0
    while waiting.withLock({ $0.isEmpty }) {
      try log.set(Data(count: 1_000), for: "\(number)")
      number += 1
    }
    let (active, sealed) = log.state.withLock { state in
      (state.index.books[state.index.active!]!.size, state.index.sealedBytes)
    }
    XCTAssertGreaterThanOrEqual(active, 128 << 10)
    XCTAssertLessThan(active, (128 << 10) + 1_100)
    XCTAssertGreaterThan(sealed, 13 * (256 << 10))
    XCTAssertNotNil(log.value("0"))
  }

  /// What cannot be removed is not forgotten either.
  func testWhatCannotBeRemovedIsServed() throws {
    let faulty = FaultyFileSystem()
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 4 << 20, files: faulty.files,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(4 << 20, shortSegment: 0) }
    var number = 0
    while waiting.withLock({ $0.isEmpty }) {
      try log.set(Data(count: 1_000), for: "\(number)")
      number += 1
    }
    let live = log.state.withLock { $0.index.live }
    faulty.setFault { $1 == "unlink" ? EROFS : nil }
    for _ in 0..<100 { for work in Self.taken(from: waiting) { work() } }
    XCTAssertGreaterThan(faulty.fired, 0)
    XCTAssertEqual(log.state.withLock { $0.index.live }, live)
    XCTAssertNotNil(log.value("0"))
  }

  /// What is half forgotten goes, whatever has changed meanwhile, and is counted once.
  func testAHigherCapacityInTheMiddleOfATrimLeavesNothingHalf() throws {
    let waiting = Lock<[@Sendable () -> Void]>([])
    let log = SegmentLog(
      directory: folder, capacity: 2 << 20,
      background: { work in waiting.withLock { $0.append(work) } })
    log.state.withLock { $0.capacity = Capacity(2 << 20, shortSegment: 0) }
    var number = 0
    while !log.state.withLock({ $0.index.isOldestLeaving }) {
      try log.set(Data(count: 10), for: "\(number)")
      for work in Self.taken(from: waiting) { work() }
      number += 1
    }
    try log.setCapacity(64 << 20)
    for _ in 0..<100 { for work in Self.taken(from: waiting) { work() } }
    let (live, evictions) = log.state.withLock { ($0.index.live, $0.counts.evictions) }
    XCTAssertEqual(live + evictions, number)
    let fresh = self.log(capacity: 64 << 20)
    XCTAssertNil(fresh.value("x"))
    XCTAssertEqual(fresh.state.withLock { $0.index.live }, live)
  }

  private static func taken(
    from waiting: Lock<[@Sendable () -> Void]>
  ) -> [@Sendable () -> Void] {
    waiting.withLock { works in
      defer { works = [] }
      return works
    }
  }
}

import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class IdleTrackedTests: XCTestCase {
  private typealias Level = Cache<Int, Stamped<Int>>

  private let (time, clock) = TimeSource.manual()
  private let gone = Lock<[String]>([])
  private var report: @Sendable (Int, Stamped<Int>, EvictionCause) -> Void {
    { [gone] key, _, cause in gone.withLock { $0.append("\(key) \(cause)") } }
  }

  private func stamped(_ value: Int, lasting: Duration?) -> Stamped<Int> {
    Stamped(value, storedAt: clock.now, lasting: lasting)
  }

  func testAnEntryWithoutAccessExpires() {
    let level: Level = .memory(
      expiringAfterAccess: .seconds(10), clock: time, onEviction: report)
    for key in 0..<2 { _ = level.set(key, stamped(key, lasting: .seconds(25))) }
    clock.advance(by: .seconds(9))
    XCTAssertEqual(level.get(0).outcome?.value?.value, 0)
    clock.advance(by: .seconds(9))
    XCTAssertEqual(
      level.get(0).outcome?.value,
      Stamped(
        0, storedAt: clock.now.advanced(by: .seconds(-18)), lasting: .seconds(25)))
    XCTAssertEqual(level.get(1).answer, "not found")
    _ = level.set(5, stamped(5, lasting: nil))
    XCTAssertEqual(gone.withLock { $0 }, ["1 expired"])
    clock.advance(by: .seconds(7))  // A hit does not move the deadline.
    XCTAssertEqual(level.get(0).answer, "not found")
    clock.advance(by: .seconds(1))
    _ = level.set(6, stamped(6, lasting: nil))
    XCTAssertEqual(gone.withLock { $0 }, ["1 expired", "0 expired"])
    let never: Level = .memory(expiringAfterAccess: .most * -1, clock: time)
    _ = never.set(0, stamped(1, lasting: nil))
    XCTAssertEqual(never.get(0).answer, "not found")
    let always: Level = .memory(expiringAfterAccess: .most, clock: time)
    _ = always.set(0, stamped(1, lasting: nil))
    clock.advance(by: .seconds(1 << 32))
    XCTAssertEqual(always.get(0).outcome?.value?.value, 1)
  }
}

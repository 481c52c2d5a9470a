import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class ActiveKeysTests: XCTestCase {
  private let keys = ActiveKeys(.of(.dictionary()))

  private func isAlone(_ flight: Int, at now: TimeSource.Instant) -> Bool {
    guard case .alone = keys.join("\(flight)", canLead: true, at: now) else { return false }
    return true
  }

  func testAUselessFlightHasNoLeaderUntilItsPauseEnds() {
    let now = HTTPFixtures.start
    keys.avoid("a", at: now)
    guard case .alone = keys.join("a", canLead: true, at: now) else {
      return XCTFail("A useless flight should have no leader.")
    }
    guard case .leader = keys.join("a", canLead: true, isBackground: true, at: now),
      case .waiter = keys.join("a", canLead: true, isBackground: true, at: now)
    else { return XCTFail("One background request should lead.") }
    keys.end("a", .retry)
    let later = now.advanced(by: ActiveKeys.pause)
    guard case .leader = keys.join("a", canLead: true, at: later) else {
      return XCTFail("The pause should have ended.")
    }
  }

  func testAtMostAThousandUselessFlightsAreRemembered() {
    for index in 0..<3000 {
      keys.avoid("\(index)", at: HTTPFixtures.start)
      XCTAssertLessThanOrEqual(keys.avoided, 1000)
      XCTAssertTrue(isAlone(index, at: HTTPFixtures.start))
    }
    XCTAssertTrue(isAlone(2000, at: HTTPFixtures.start), "A thousand fit.")
  }

  func testPausesThatHaveEndedMakeRoomForOthers() {
    let (now, later) = (HTTPFixtures.start, HTTPFixtures.at(5))
    for index in 0..<1000 { keys.avoid("\(index)", at: index < 500 ? now : later) }
    let end = now.advanced(by: ActiveKeys.pause)
    keys.avoid("1000", at: end)
    for index in 500...1000 { XCTAssertTrue(isAlone(index, at: end), "\(index)") }
  }

  /// Requests of several threads must agree on one leader, and none may wait forever.
  func testThreadsAgreeOnOneLeader() {
    let (leaders, waiting) = (Lock(0), Lock([Promise<ActiveKeys.End>]()))
    onEightThreads { [keys] _ in
      for _ in 0..<200 {
        switch keys.join("a", canLead: true, at: HTTPFixtures.start) {
        case .leader:
          let count = leaders.withLock { leaders in
            leaders += 1
            return leaders
          }
          XCTAssertEqual(count, 1)
          leaders.withLock { $0 -= 1 }
          keys.end("a", .retry)
        case .waiter(let end): waiting.withLock { $0.append(end) }
        case .alone: XCTFail("Each request can lead.")
        }
      }
    }
    for end in waiting.withLock({ $0 }) {
      guard case .retry? = end.outcome?.value else { return XCTFail("A request waits forever.") }
    }
  }

  /// An invalidation of one thread must not be lost because other threads register requests.
  func testNoInvalidationIsLostAmongThreads() {
    onEightThreads { [keys] thread in
      for round in 0..<200 {
        let key = "\(thread) \(round % 3)"
        let ticket = keys.enter(key)
        XCTAssertTrue(keys.isValid(ticket))
        keys.invalidate(key)
        XCTAssertFalse(keys.isValid(ticket))
        keys.leave(ticket)
      }
    }
  }

  func testNoUselessFlightIsForgottenAmongThreads() {
    onEightThreads { [keys] thread in
      for round in 0..<100 { keys.avoid("\(100 * thread + round)", at: HTTPFixtures.start) }
    }
    for flight in 0..<800 { XCTAssertTrue(isAlone(flight, at: HTTPFixtures.start), "\(flight)") }
  }

  /// A clear prevents every request that is in flight from storing its response.
  func testAClearInvalidatesAllRequests() {
    let tickets = ["a", "b"].map(keys.enter)
    keys.invalidateAll()
    for ticket in tickets { XCTAssertFalse(keys.isValid(ticket)) }
    XCTAssertTrue(keys.isValid(keys.enter("a")))
  }
}

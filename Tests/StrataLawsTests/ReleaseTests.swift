import Foundation
import Strata
import StrataLaws
import XCTest

/// Tests that a check releases each cache after the cache's case. Otherwise, a check with many cases
/// would use much memory, and a level that shares a connection with its predecessors would become
/// slower with every case.
final class ReleaseTests: XCTestCase {
  /// The number of caches that haven't been released.
  private let living = Box(0)

  /// Counts a cache as long as the cache exists.
  private final class Token: Sendable {
    private let living: Box<Int>

    init(_ living: Box<Int>) {
      self.living = living
      living.update { $0 += 1 }
    }

    deinit { living.update { $0 -= 1 } }
  }

  /// Returns a function that adds a token to a cache. The token exists as long as the cache.
  private var counted: @Sendable (Cache<Int, Int>) -> Cache<Int, Int> {
    { [living] cache in
      let token = Token(living)
      return cache.observed { _ in withExtendedLifetime(token) {} }
    }
  }

  /// Waits until all caches have been released. Without a leak, this takes only as long as other
  /// threads need to end.
  private func expectRelease(after law: Law, line: UInt = #line) {
    let end = ContinuousClock.now + .seconds(60)
    while living.value > 0, ContinuousClock.now < end { usleep(1_000) }
    XCTAssertEqual(living.value, 0, "\(law.name)", line: line)
  }

  private func check(_ laws: Laws, line: UInt = #line) {
    for law in laws.laws {
      XCTAssertNil(law.violation(cases: 10), line: line)
      expectRelease(after: law, line: line)
    }
  }

  func testLevelsAreReleased() {
    check(.level { [counted] in counted(.dictionary()) })
    check(
      .lifetime(.seconds(60)) { [counted] time in
        counted(
          Cache<Int, Stamped<Int>>.memory(clock: time).expiring(after: .seconds(60)))
      })
  }

  func testLevelsThatNeverAnswerAreReleased() {
    check(
      .patience { [counted] upper, lower, bound in
        counted((upper + lower).awaited(atMost: .milliseconds(bound)))
      })
  }

  func testCachesWithScriptedLevelsAreReleased() {
    check(.pool { [counted] in counted($0.pooled()) })
    check(
      .refresh { [counted] levels, freshness, fetcher, clock in
        counted(levels.clocked(by: clock).refreshing(freshness, from: fetcher))
      })
  }
}

import Foundation
import Strata
import XCTest

@testable import StrataLaws

/// Tests that no cache outlives the check of its law. If caches leaked, a check with many cases
/// would use gigabytes. If the levels of all cases share a connection, each case would also be
/// slower than the case before.
final class ReleaseTests: XCTestCase {
  private let unreleased = Box(0)
  private let created = Box(0)

  /// Counts a cache as long as the cache exists.
  private final class Token: Sendable {
    private let unreleased: Box<Int>

    init(_ unreleased: Box<Int>) {
      self.unreleased = unreleased
      unreleased.update { $0 += 1 }
    }

    deinit { unreleased.update { $0 -= 1 } }
  }

  /// A function that adds a token to a cache. The token exists as long as the cache.
  private var counted: @Sendable (Cache<Int, Int>) -> Cache<Int, Int> {
    { [unreleased, created] cache in
      created.update { $0 += 1 }
      let token = Token(unreleased)
      return cache.observed { _ in withExtendedLifetime(token) {} }
    }
  }

  /// Waits up to 60 seconds until all caches have been released, because other threads may retain a
  /// cache briefly.
  private func expectRelease(after law: Law, line: UInt = #line) {
    let end = ContinuousClock.now + .seconds(60)
    while unreleased.value > 0, ContinuousClock.now < end { usleep(1_000) }
    XCTAssertEqual(unreleased.value, 0, "\(law.name)", line: line)
  }

  private func check(_ laws: Laws, line: UInt = #line) {
    for law in laws.laws {
      created.value = 0
      XCTAssertNil(law.violation(cases: 10), line: line)
      // The law of samples makes no level, the law of references makes none for values without an
      // identity, and the laws of large cases make few.
      let isWithoutLevel = ["level.samples", "level.references"].contains(law.name)
      let least = isWithoutLevel ? 0 : min(10, law.mostCases, 10 / law.share + 1)
      XCTAssertGreaterThanOrEqual(created.value, least, "\(law.name)", line: line)
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

  func testSumsWithATimeLimitAreReleased() {
    check(
      .patience { [counted] upper, lower, bound in
        counted((upper + lower).awaitedInSum(atMost: .milliseconds(bound)))
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

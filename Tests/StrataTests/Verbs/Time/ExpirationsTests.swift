import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class ExpirationsTests: XCTestCase {
  private func instant(_ second: Int64) -> TimeSource.Instant {
    TimeSource.Instant(sinceEpoch: .seconds(second))
  }

  func testAValueIsStaleSinceTheFirstExpirationAfterIt() {
    var expirations = Expirations()
    XCTAssertNil(expirations.since(of: instant(0)))
    XCTAssertNil(expirations.end)
    expirations.add(upTo: instant(12), since: instant(10))
    expirations.add(upTo: instant(22), since: instant(20))
    expirations.add(upTo: instant(15), since: instant(30))
    let found = [0, 12, 13, 22, 23].map { expirations.since(of: instant($0)) }
    XCTAssertEqual(found, [instant(10), instant(10), instant(20), instant(20), nil])
    XCTAssertEqual(expirations.end, instant(22))
  }

  func testNoWindowBecomesLongerIfThereAreManyExpirations() {
    var expirations = Expirations()
    for second in Int64(1)...100 { expirations.add(upTo: instant(second), since: instant(second)) }
    for second in Int64(1)...100 {
      let since = expirations.since(of: instant(second))
      XCTAssertLessThanOrEqual(since ?? .last, instant(second))
    }
    XCTAssertEqual(expirations.since(of: instant(90)), instant(90))
    XCTAssertNil(expirations.since(of: instant(101)))
  }

  func testMergedExpirationsApplyToTheValuesOfBoth() {
    var (one, other) = (Expirations(), Expirations())
    one.add(upTo: instant(10), since: instant(10))
    one.merge(other)
    XCTAssertEqual(one.since(of: instant(10)), instant(10))
    other.add(upTo: instant(5), since: instant(5))
    one.merge(other)
    XCTAssertEqual([10, 11].map { one.since(of: instant($0)) }, [instant(5), nil])
  }
}

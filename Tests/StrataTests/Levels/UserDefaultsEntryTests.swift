import Foundation
import XCTest

@testable import Strata

final class UserDefaultsEntryTests: XCTestCase {
  func testKeysThatLookAlikeAreToldApart() {
    let keys = ["a/b", "a%2fb", "A", "a", "a\u{0}", "strata:a", "%", "é", "e"]
    XCTAssertEqual(Set(keys.map { UserDefaultsEntry($0).name }).count, keys.count)
    XCTAssertEqual(UserDefaultsEntry("\u{e9}").name, UserDefaultsEntry("e\u{301}").name)
  }
}

import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class UserDefaultsSuiteTests: XCTestCase {
  func testNoSuiteNameLeavesTheDirectory() {
    XCTAssertEqual(UserDefaultsSuite.fileName(of: "group.com.Example"), "group.com.Example")
    let names = ["", ".", "..", "../a", "a/b", "a\u{0}", ".a", String(repeating: "a", count: 300)]
    let files = names.map(UserDefaultsSuite.fileName)
    XCTAssertEqual(Set(files).count, names.count)
    for file in files {
      XCTAssertFalse(file.contains("/") || file.hasPrefix(".") || file.utf8.count > 128, file)
    }
  }

  func testASuiteIsSharedWhileItIsInUse() {
    let name = "strata-test-\(UUID().uuidString.lowercased())"
    defer { UserDefaultsTests.remove([name]) }
    var one: UserDefaultsSuite? = .named(name)
    XCTAssertTrue(one === UserDefaultsSuite.named(name))
    XCTAssertFalse(one === UserDefaultsSuite.named(name + "-other"))
    weak let old = one
    one = nil
    XCTAssertNil(old)
    UserDefaultsTests.remove([name + "-other"])
  }
}

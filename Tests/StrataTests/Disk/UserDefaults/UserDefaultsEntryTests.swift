import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk

final class UserDefaultsEntryTests: XCTestCase {
  func testSimilarKeysHaveDifferentNames() {
    let keys = ["a/b", "a%2fb", "A", "a", "a\u{0}", "strata:a", "%", "é", "e"]
    XCTAssertEqual(Set(keys.map { UserDefaultsEntry($0).name }).count, keys.count)
    XCTAssertEqual(UserDefaultsEntry("\u{e9}").name, UserDefaultsEntry("e\u{301}").name)
  }

  func testAnEntryIsReadByItsOwnKeyAlone() {
    let entry = UserDefaultsEntry("a")
    let marked = entry.adding(headerTo: Data([1, 2]))
    XCTAssertEqual(entry.value(of: marked), Data([1, 2]))
    XCTAssertEqual(entry.value(of: entry.adding(headerTo: Data())), Data())
    XCTAssertNil(UserDefaultsEntry("b").value(of: marked))
    XCTAssertNil(entry.value(of: marked.dropLast()))
    XCTAssertNil(entry.value(of: Data([1, 2])))
  }

  func testOwnEntriesAreRecognizedByNameAndSignature() {
    let entry = UserDefaultsEntry("a/b é")
    XCTAssertEqual(entry.name, "strata:a%2Fb%20%C3%A9")
    XCTAssertTrue(UserDefaultsEntry.isOwn(entry.name))
    XCTAssertFalse(UserDefaultsEntry.isOwn("a/b"))
    XCTAssertTrue(UserDefaultsEntry.isOwn(entry.adding(headerTo: Data()) as Any?))
    for other in [nil, "STU1", Data(), Data([1, 2, 3, 4])] as [Any?] {
      XCTAssertFalse(UserDefaultsEntry.isOwn(other))
    }
  }
}

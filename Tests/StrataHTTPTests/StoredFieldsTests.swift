import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

final class StoredFieldsTests: XCTestCase {
  private func storable(_ fields: HeaderFields, isShared: Bool = false) -> [String] {
    StoredFields.storable(fields, for: HTTPCachePolicy(isShared: isShared)).map(\.name)
  }

  func testFieldsOfAConnectionAreNotStored() {
    let fields: HeaderFields = [
      "Connection": "a, B", "A": "1", "b": "2", "c": "3", "Keep-Alive": "x", "TE": "x",
      "Proxy-Authenticate": "x", "Proxy-Authentication-Info": "x", "Proxy-Authorization": "x",
      "Proxy-Connection": "x", "Transfer-Encoding": "x", "Upgrade": "x",
    ]
    XCTAssertEqual(storable(fields), ["c"])
  }

  func testOtherFieldsAreStoredInTheirOrder() {
    let fields: HeaderFields = [
      "Set-Cookie": "a=b", "Set-Cookie2": "a=b", "set-cookie": "c=d", "Clear-Site-Data": "cache",
      "Content-Encoding": "x", "WWW-Authenticate": "x",
    ]
    XCTAssertEqual(StoredFields.storable(fields, for: HTTPCachePolicy()), fields)
  }

  func testFieldsThatNoCacheNamesAreNotStored() {
    XCTAssertEqual(
      storable(["Cache-Control": "no-cache=\"a, b\"", "a": "1", "B": "2", "c": "3"]),
      ["Cache-Control", "c"])
  }

  func testFieldsThatPrivateNamesAreNotStoredInASharedCache() {
    let fields: HeaderFields = ["Cache-Control": "private=\"a\"", "a": "1", "c": "3"]
    XCTAssertEqual(storable(fields, isShared: true), ["Cache-Control", "c"])
    XCTAssertEqual(storable(fields), ["Cache-Control", "a", "c"])
  }
}

import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class Base64Tests: XCTestCase {
  func testOtherTextFails() {  // T55
    XCTAssertTrue(undecodable(.base64, "not base64!"))
  }

  func testAnErrorAboutALongTextIsShort() {
    let error = Codec.base64.decode(String(repeating: "!", count: 1_000_000)).outcome?.error
    XCTAssertLessThan("\(error.map { "\($0)" } ?? "")".count, 500)
  }
}

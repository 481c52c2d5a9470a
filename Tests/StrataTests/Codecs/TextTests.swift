import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class TextTests: XCTestCase {
  func testBytesThatAreNotTextFail() {  // T55
    XCTAssertTrue(undecodable(.utf8, Data([0xff, 0xfe])))
    XCTAssertTrue(undecodable(.string(.ascii), Data([0xff])))
    guard case .unencodable? = Codec.string(.ascii).encode("é").outcome?.error as? CacheError
    else { return XCTFail("ASCII has no é.") }
  }
}

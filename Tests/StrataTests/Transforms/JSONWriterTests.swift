import XCTest

@testable import Strata

final class JSONWriterTests: JSONValueCase {
  func testAnInfiniteNumberIsNotWritten() {
    for value in [Double.infinity, -.infinity, .nan] {
      XCTAssertEqual(
        codec.encode([.number(value)]).outcome?.error as? CacheError,
        .unencodable(by: "jsonValue", reason: "an infinite number, or none, has no JSON"))
    }
  }
}

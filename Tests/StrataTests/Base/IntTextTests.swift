import XCTest

@testable import StrataCore

final class IntTextTests: XCTestCase {
  func testBytesPrintExactlyInTheLargestUnit() {
    let text = [100_000_000, 64 << 20, 1000, 999, 1 << 30, 0, 1_500].map(\.formattedBytes)
    XCTAssertEqual(text, ["100 MB", "64 MiB", "1 kB", "999 B", "1 GiB", "0 B", "1500 B"])
  }
}

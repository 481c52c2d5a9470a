import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CacheEventSizeTests: XCTestCase {
  private let stamp = TimeSource.Instant(milliseconds: 1)

  func testDataBytesAndTextHaveASizeWithAndWithoutAStamp() {
    XCTAssertEqual(CacheEvent.bytes(of: Data(count: 3)), 3)
    XCTAssertEqual(CacheEvent.bytes(of: [UInt8](repeating: 1, count: 4)), 4)
    XCTAssertEqual(CacheEvent.bytes(of: "é"), 2)
    XCTAssertEqual(CacheEvent.bytes(of: String(repeating: "long", count: 9)), 36)
    XCTAssertEqual(CacheEvent.bytes(of: Stamped(Data(count: 5), storedAt: stamp)), 5)
    let idle = IdleTracked(Stamped("four", storedAt: stamp), at: stamp)
    XCTAssertEqual(CacheEvent.bytes(of: idle), 4)
  }

  func testOtherTypesHaveNoSize() {
    XCTAssertNil(CacheEvent.bytes(of: 1))
    XCTAssertNil(CacheEvent.bytes(of: Stamped(1, storedAt: stamp)))
    XCTAssertNil(CacheEvent.size(of: [Int].self))
  }
}

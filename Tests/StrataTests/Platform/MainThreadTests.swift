import Foundation
import StrataLaws
import XCTest

@testable import StrataCore

final class MainThreadTests: XCTestCase {
  func testOnlyTheMainThreadIsTheMainThread() {
    for _ in 0..<2 { XCTAssertTrue(MainThread.isCurrent) }
    let isMain = onSmallStack { [MainThread.isCurrent, MainThread.isCurrent] }
    XCTAssertEqual(isMain, [false, false])
  }
}

import XCTest

@testable import StrataCore

final class NoticeTests: XCTestCase {
  func testANoticeIsTakenOnce() {
    let notice = Notice()
    XCTAssertEqual([notice.take(), notice.take(), notice.take()], [true, false, false])
    notice.write(XCTFailText())
  }

  /// Fails if the text of a notice that was already taken is made.
  private func XCTFailText() -> String {
    XCTFail("The text isn't needed.")
    return ""
  }
}

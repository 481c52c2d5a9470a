import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class DiskErrorTests: XCTestCase {
  func testADescriptionSaysWhatHappenedAndWhatToDo() {
    let cases: [(DiskError, [String])] = [
      (
        .unavailable(directory: "/d", operation: "open", code: EACCES),
        ["/d", "open", "permission"]
      ),
      (
        .unavailable(directory: "/d", operation: "open", code: ENOTDIR),
        ["has the name", "remove it"]
      ),
      (.unavailable(directory: "/d", operation: "mkdir", code: EROFS), ["read-only", "another"]),
      (.unavailable(directory: "/d", operation: "open", code: EMFILE), ["ulimit"]),
      (.unavailable(directory: "/d", operation: "open", code: EINVAL), ["path", "another"]),
      (
        .unavailable(directory: "/d", operation: "flock", code: EWOULDBLOCK),
        ["Another process", "stopped", "isSingleProcess"]
      ),
      (.unavailable(directory: "/d", operation: "write", code: EFBIG), ["ulimit -f"]),
      (.unavailable(directory: "/d", operation: "write", code: EIO), ["tries again"]),
      (.full(directory: "/d", bytes: 112), ["/d", "record of 112", "Free some space"]),
      (.full(directory: "/d", bytes: 0), ["/d", "a removal", "Free some space"]),
      (.valueTooLarge(bytes: 12, capacity: 10), ["12", "10", "Raise the capacity"]),
      (.valueTooLarge(bytes: 900, capacity: 10_000), ["900", "ulimit -f"]),
      (.valueTooLarge(bytes: 3 << 30, capacity: 8 << 30), ["3221225472", "2147418112"]),
    ]
    for (error, words) in cases {
      for word in words { XCTAssertTrue(error.description.contains(word), error.description) }
      XCTAssertEqual(error.localizedDescription, error.description)
    }
  }
}

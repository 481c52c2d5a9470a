import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class SharedByNameTests: XCTestCase {
  private final class Token: Sendable {}

  func testUsersOfANameShareOneObject() {
    let shared = SharedByName()
    let (first, second) = (Token(), Token())
    XCTAssertTrue(shared.object(named: "a", orElse: first) === first)
    XCTAssertTrue(shared.object(named: "a", orElse: second) === first)
    XCTAssertTrue(shared.object(named: "b", orElse: second) === second)
  }

  func testAnUnusedObjectIsReleasedAndReplaced() {
    let shared = SharedByName()
    weak var weakToken: Token?
    do {
      let token = Token()
      weakToken = token
      _ = shared.object(named: "a", orElse: token)
    }
    XCTAssertNil(weakToken)
    let next = Token()
    XCTAssertTrue(shared.object(named: "a", orElse: next) === next)
  }
}

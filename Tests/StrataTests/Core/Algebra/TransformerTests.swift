import Strata
import XCTest

final class TransformerTests: XCTestCase {
  private struct Broken: Error {}

  private let half = Transformer<Int, Int> { number throws in
    guard number.isMultiple(of: 2) else { throw Broken() }
    return number / 2
  }

  func testAFunctionThatThrowsFails() {
    XCTAssertEqual(half(4).outcome?.value, 2)
    XCTAssertTrue(half(3).outcome?.error is Broken)
  }

  func testTheFirstFailureEndsAChain() {
    let calls = Journal<Int>()
    let noting = Transformer<Int, Int> { number in
      calls.note(number)
      return number
    }
    XCTAssertTrue((half >>> half >>> noting)(6).outcome?.error is Broken)
    XCTAssertEqual((half >>> noting >>> half)(8).outcome?.value, 2)
    XCTAssertEqual(calls.entries, [4])
  }

  func testTheIdentityChangesNothing() {
    XCTAssertEqual((.identity >>> half)(8).outcome?.value, 4)
    XCTAssertEqual((half >>> .identity)(8).outcome?.value, 4)
  }

  func testAnAsyncFunctionIsAwaited() async throws {
    let slow = Transformer<Int, Int> { number async throws in number + 1 }
    let answer = try await (half >>> slow)(8).value
    XCTAssertEqual(answer, 5)
  }
}

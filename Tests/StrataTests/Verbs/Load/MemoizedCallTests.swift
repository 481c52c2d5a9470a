import Foundation
import Strata
import XCTest

final class MemoizedCallTests: XCTestCase {
  private func call<each Argument: Hashable & Sendable>(
    _ name: String?, _ arguments: repeat each Argument
  ) -> MemoizedCall<repeat each Argument> {
    memoized(named: name, in: .empty) { (_: repeat each Argument) in 0 }
      .call(repeat each arguments)
  }

  func testCallsAreEqualIfFunctionAndArgumentsAre() {
    XCTAssertEqual(call("f", 1, "a"), call("f", 1, "a"))
    XCTAssertEqual(call("f", 1, "a").hashValue, call("f", 1, "a").hashValue)
    XCTAssertNotEqual(call("f", 1, "a"), call("f", 1, "b"))
    XCTAssertNotEqual(call("f", 1, "a"), call("g", 1, "a"))
    XCTAssertNotEqual(call(nil, 1, "a"), call(nil, 1, "a"))
    XCTAssertEqual(call("f"), call("f"))
  }

  func testTextsAreLinesOfJSON() throws {
    XCTAssertEqual(try call("f", 1, "a/b", true).text(), #"["f",1,"a/b",true]"#)
    XCTAssertEqual(try call("f").text(), #"["f"]"#)
    XCTAssertEqual(try call("f", Double.infinity, Int?.none).text(), #"["f","inf",null]"#)
    XCTAssertEqual(try call("f", ["b": 1, "a": 2]).text(), #"["f",{"a":2,"b":1}]"#)
  }

  func testAFunctionWithoutANameHasATextOfItsOwn() throws {
    let (one, other) = (try call(nil, 1).text(), try call(nil, 1).text())
    XCTAssertNotEqual(one, other)
    XCTAssertTrue(one.hasPrefix("[[\""), one)
  }

  func testAnArgumentThatCannotBeEncodedFailsTheText() {
    struct Stubborn: Hashable, Encodable {
      func encode(to encoder: any Encoder) throws { throw CacheError.notFound }
    }
    XCTAssertThrowsError(try call("f", Stubborn()).text()) { error in
      guard case .unencodable(by: "call", _)? = error as? CacheError else {
        return XCTFail("\(error)")
      }
    }
  }
}

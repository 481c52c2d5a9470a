import Foundation
import XCTest

@testable import Strata

final class JSONTests: XCTestCase {
  private struct Article: Codable, Equatable { let title: String }

  func testJSONReadsAndWritesValuesAndFailsForOthers() {  // T55
    let codec: Codec<Data, Article> = .json()
    let data = codec.encode(Article(title: "é")).outcome?.value ?? Data()
    XCTAssertEqual(codec.decode(data).outcome?.value, Article(title: "é"))
    XCTAssertTrue(undecodable(codec, Data("{}".utf8)))
    XCTAssertTrue(undecodable(codec, Data()))
    XCTAssertEqual(Codec<Data, [Int]>.json().decode(Data("[1,2]".utf8)).outcome?.value, [1, 2])
    XCTAssertEqual(Codec<Data, Int>.json().decode(Data("7".utf8)).outcome?.value, 7)
    guard
      case .unencodable? = Codec<Data, Double>.json().encode(.nan).outcome?.error as? CacheError
    else { return XCTFail("Encoding NaN should fail.") }
  }

  func testDeeplyNestedJSONIsAnErrorAndNoCrash() {
    let depth = 100_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    XCTAssertTrue(undecodable(Codec<Data, [Int]>.json(), Data(text.utf8)))
  }
}

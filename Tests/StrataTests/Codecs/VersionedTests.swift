import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class VersionedTests: XCTestCase {
  private struct Article: Codable, Equatable { let title: String }

  func testAnotherVersionIsASpecificFailure() {
    let old: Codec<Data, String> = .versioned(1, .utf8)
    let new: Codec<Data, String> = .versioned(2, .utf8)
    let data = old.encode("text").outcome?.value ?? Data()
    XCTAssertEqual(old.decode(data).answer, "text")
    let error = CacheError.otherVersion(found: 1, expected: 2)
    XCTAssertEqual(new.decode(data).outcome?.error as? CacheError, error)
    XCTAssertTrue(undecodable(new, Data("text".utf8)))
    XCTAssertTrue(undecodable(new, Data("STV1".utf8)))
    XCTAssertEqual(old.decode(data.dropFirst(0)).answer, "text")
    let padded = (Data([9, 9]) + data).dropFirst(2)
    XCTAssertEqual(old.decode(padded).answer, "text", "A slice should be read from its start.")
  }

  func testARecordOfAnOlderModelIsReplaced() {
    let disk: Cache<Int, Data> = .memory()
    _ = (disk <*> .versioned(1, .json())).set(0, Article(title: "old"))
    let cache =
      disk <*> .versioned(2, .json()) + Fetcher(offMainThread: false) { _ in Article(title: "new") }
    XCTAssertEqual(cache.get(0).outcome?.value, Article(title: "new"))
    let stored = (disk <*> .versioned(2, .json()) as Cache<Int, Article>).get(0)
    XCTAssertEqual(stored.outcome?.value, Article(title: "new"))
  }
}

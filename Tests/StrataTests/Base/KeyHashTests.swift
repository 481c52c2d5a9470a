import Foundation
import XCTest

@testable import StrataCore

final class KeyHashTests: XCTestCase {
  private let hash = KeyHash(seed: 7)

  func testIntegersSpreadOverTheShards() {
    for step in [1, 2, 64, 4096, 1 << 20, 7919] {
      var shards = [Int](repeating: 0, count: 16)
      for key in 0..<16_000 { shards[Int(hash(key * step) >> 60)] += 1 }
      XCTAssertGreaterThan(shards.min() ?? 0, 700, "by \(step)")
      XCTAssertLessThan(shards.max() ?? 0, 1300, "by \(step)")
    }
  }

  /// For any seed, the hash distributes consecutive integers evenly. A hash function with only one
  /// multiplication would fail this test: for some seeds, the variance of its counts would be six
  /// times as large as the variance for random hashes.
  func testConsecutiveIntegersDoNotCluster() {
    for seed in 1...40 as ClosedRange<UInt64> {
      let hash = KeyHash(seed: seed)
      var heaps = [Int](repeating: 0, count: 5000)
      for key in 0..<20_000 {
        heaps[Int(hash(key).multipliedFullWidth(by: 5000).high)] += 1
      }
      // The sum of the squared deviations from the mean count, which is 4. For random hashes,
      // `spread` is about 20,000.
      let spread = heaps.reduce(0) { $0 + ($1 - 4) * ($1 - 4) }
      XCTAssertLessThan(spread, 25_000, "seed \(seed)")
    }
  }

  func testEqualURLsHaveEqualHashes() throws {
    for text in ["https://a.example/b?c=d#e", "b/c", "mailto:a@b.example", "file:///a%20b/"] {
      let bases = [nil, URL(string: "https://a.example/"), URL(string: "https://b.example/c/")]
      for base in bases {
        let one = try XCTUnwrap(URL(string: text, relativeTo: base))
        let other = try XCTUnwrap(URL(string: String(text.reversed().reversed()), relativeTo: base))
        XCTAssertEqual(one, other)
        XCTAssertEqual(hash(one), hash(other))
      }
    }
    let file = URL(fileURLWithPath: "/a b", isDirectory: true)
    XCTAssertEqual(try XCTUnwrap(URL(string: "file:///a%20b/")), file)
    XCTAssertEqual(hash(try XCTUnwrap(URL(string: "file:///a%20b/"))), hash(file))
  }

  /// A level stores at most 64 keys with equal hashes, so the hash of a URL must depend on its base.
  func testRelativeURLsWithOtherBasesHaveOtherHashes() throws {
    let urls = (0..<100).compactMap { number in
      URL(string: "index.html", relativeTo: URL(string: "https://a.example/\(number)/"))
    }
    XCTAssertEqual(Set(urls.map { hash($0) }).count, 100)
    let level = Cache<URL, Int>.memory()
    for (number, url) in urls.enumerated() { _ = level.set(url, number) }
    XCTAssertEqual(urls.map { level.get($0).answer }, (0..<100).map(String.init))
  }

  func testAnotherSeedGivesOtherHashes() {
    XCTAssertNotEqual(KeyHash(seed: 1)(12), KeyHash(seed: 2)(12))
    XCTAssertNotEqual(KeyHash(seed: 1)("twelve"), KeyHash(seed: 2)("twelve"))
  }
}

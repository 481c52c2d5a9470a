import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CompressedTests: XCTestCase {
  private let text = Data(String(repeating: "a page about caches. ", count: 200).utf8)

  private func reason(_ format: CompressedFormat, _ data: Data) -> String? {
    do {
      _ = try format.expanded(data)
      return nil
    } catch {
      guard case .undecodable(by: "compressed", let reason) = error else { return "\(error)" }
      return reason
    }
  }

  private func format(
    _ threshold: Int = 100, _ maximumSize: Int = 10_000, zlib: ZlibLibrary? = .shared
  ) -> CompressedFormat {
    CompressedFormat(threshold: threshold, maximumSize: maximumSize, zlib: zlib)
  }

  func testTextBecomesShorterOnDisk() async throws {
    let store: Cache<String, Data> = .dictionary()
    let pages: Cache<String, String> = store <*> .compressed(.utf8)
    let page = String(decoding: text, as: UTF8.self)
    try await pages.set(page, for: "home")
    let stored = try await store.value(for: "home")
    XCTAssertLessThan(stored.count, text.count / 10)
    let back = try await pages.value(for: "home")
    XCTAssertEqual(back, page)
    XCTAssertEqual("\(pages.plan)", "dictionary <*> compressed(utf8)")
  }

  func testBytesBelowTheThresholdAndOlderBytesStayAsTheyAre() throws {
    let format = format()
    for plain in [Data(), Data("short".utf8), text.prefix(99)] {
      XCTAssertEqual(format.compressed(plain), plain)
      XCTAssertEqual(try format.expanded(plain), plain)
    }
    XCTAssertEqual(try format.expanded(text), text, "Bytes that were stored before are readable.")
    XCTAssertNotEqual(format.compressed(text), text)
  }

  func testBytesThatCompressionWouldNotShortenStayAsTheyAre() {
    var random = SystemRandomNumberGenerator()
    let noise = Data([0] + (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    XCTAssertEqual(format().compressed(noise), noise)
  }

  func testBytesAboveTheMaximumAreStoredAsTheyAre() throws {
    let (large, format) = (Data(count: 10_001), format())
    XCTAssertEqual(format.compressed(large), large)
    XCTAssertEqual(try format.expanded(large), large)
  }

  func testABombIsRefusedBeforeItIsDecoded() {
    let bomb = format(100, 1 << 24).compressed(Data(count: 1 << 24))
    XCTAssertLessThan(bomb.count, 1 << 15)
    XCTAssertEqual(
      reason(format(), bomb),
      "16777216 bytes are more than the maximum of 10000: pass a greater atMost:")
  }

  func testAForgedSizeAllocatesNothing() {
    var forged = format().compressed(text)
    forged[4] = 0xFF
    forged[7] = 0x03  // 64 MiB from a few hundred bytes.
    XCTAssertEqual(reason(format(100, 1 << 30), forged), "the size is wrong")
    forged[11] = 0xFF
    XCTAssertEqual(reason(format(100, .max), forged)?.contains("more than the maximum"), true)
    var small = format().compressed(text)
    small[4] &-= 1
    XCTAssertEqual(reason(format(), small), "the deflate stream is damaged")
  }

  func testTruncatedStreamsAndTrailingBytesAreRefused() {
    let stored = format().compressed(text)
    for count in 3..<stored.count {
      XCTAssertNotNil(reason(format(), stored.prefix(count)), "\(count) bytes")
    }
    XCTAssertEqual(reason(format(), stored + [0]), "the deflate stream is damaged")
    XCTAssertEqual(reason(format(), stored + stored), "the deflate stream is damaged")
  }

  func testAChangedByteIsFound() {
    let stored = format().compressed(text)
    for index in 3..<stored.count {
      var changed = stored
      changed[index] ^= 0x10
      if let data = try? format().expanded(changed) { XCTAssertEqual(data, text, "at \(index)") }
    }
  }

  func testBytesThatBeginLikeAHeaderRoundTrip() throws {
    for count in [3, 4, 20, 99, 100, 5_000] {
      let plain = Data(
        ([0xFF, 0x5A, 0x53, 0x44] + [UInt8](repeating: 7, count: 5_000)).prefix(count))
      XCTAssertEqual(try format().expanded(format().compressed(plain)), plain)
    }
  }

  func testWithoutZlibBytesStayAsTheyAreAndCompressedBytesFail() throws {
    let missing = ZlibLibrary(in: ["libmissing.so"])
    XCTAssertNil(missing)
    let without = format(zlib: missing)
    XCTAssertEqual(without.compressed(text), text)
    XCTAssertEqual(try without.expanded(text), text)
    XCTAssertEqual(
      reason(without, format().compressed(text)),
      "zlib can't be loaded: install zlib, which is libz.so.1")
  }

  func testASliceIsCompressedLikeACopy() throws {
    let slice = (Data([1, 2, 3]) + text)[3...]
    let stored = format().compressed(slice)
    XCTAssertEqual(stored, format().compressed(text))
    XCTAssertEqual(try format().expanded((Data([9]) + stored)[1...]), text)
  }

  func testADamagedValueIsReplacedFromBelow() async throws {
    let store: Cache<String, Data> = .dictionary()
    let pages = store <*> .compressed(.utf8) + .constant("fresh")
    try await store.set(format().compressed(text).dropLast(), for: "home")
    let page = try await pages.value(for: "home")
    XCTAssertEqual(page, "fresh")
  }
}

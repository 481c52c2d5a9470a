import Foundation
import XCTest

@testable import StrataApple
@testable import StrataCore
@testable import StrataVerbs

/// Tests the logic of `.image` with a one-byte picture instead of a platform's image.
final class ImageTests: XCTestCase {
  private let codec: Codec<Data, UInt8> = .image(
    decode: { $0.count == 5 && $0.starts(with: Data("PNG:".utf8)) ? $0[4] : nil },
    encodePNG: { $0 == 0 ? nil : Data("PNG:".utf8) + [$0] })

  func testAnImageBothWays() {  // T55
    XCTAssertEqual(codec.encode(7).flatMap(codec.decode).outcome?.value, 7)
  }

  func testBytesThatAreNoImageFail() {  // T55
    XCTAssertEqual(
      codec.decode(Data([1, 255])).outcome?.error as? CacheError,
      .undecodable(by: "image", reason: "2 bytes that are not an image: 1 ff"))
  }

  func testAnImageWithoutBytesFails() {
    XCTAssertEqual(
      codec.encode(0).outcome?.error as? CacheError,
      .unencodable(by: "image", reason: "no PNG of 0"))
  }
}

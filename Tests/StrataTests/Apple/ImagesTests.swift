#if canImport(ImageIO)
  import ImageIO
  import Strata
  import StrataHTTP
  import XCTest

  final class ImagesTests: XCTestCase {
    /// A PNG of 40 by 20 red pixels.
    private let png =
      Data(
        base64Encoded: """
          iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAAI0lEQVR42u3NsQ0AAAjAoP7/tJ7hIAk7\
          TZ1ILBaLxWKx+E+8ffodDqIehz0AAAAASUVORK5CYII=
          """, options: .ignoreUnknownCharacters) ?? Data()

    func testAnImageDecodesInItsFullSize() throws {
      let image = try XCTUnwrap(Codec.image.decode(png).outcome?.value)
      XCTAssertEqual([image.width, image.height], [40, 20])
    }

    func testALargerImageIsShrunkAndASmallerOneIsNot() throws {
      for (side, expected) in [(10, [10, 5]), (40, [40, 20]), (1_000, [40, 20]), (0, [1, 1])] {
        let codec: Codec<Data, CGImage> = .image(longestSide: side)
        let image = try XCTUnwrap(codec.decode(png).outcome?.value)
        XCTAssertEqual(image.width, expected[0], "\(side)")
        XCTAssertLessThanOrEqual(image.height, expected[1], "\(side)")
      }
    }

    func testAnImageSurvivesItsEncoding() throws {
      let codec: Codec<Data, CGImage> = .image
      let image = try XCTUnwrap(codec.decode(png).outcome?.value)
      let data = try XCTUnwrap(codec.encode(image).outcome?.value)
      XCTAssertEqual(codec.decode(data).outcome?.value?.width, 40)
    }

    func testBytesThatAreNoImageAreAnError() {
      for data in [Data(), Data("no image".utf8), png.prefix(10)] {
        XCTAssertNotNil(Codec.image.decode(data).outcome?.error)
      }
    }

    func testAnImageCostsFourBytesForEachPixel() throws {
      let memory: Cache<String, CGImage> = .memory(capacity: .bytes(40 * 20 * 4))
      let image = try XCTUnwrap(Codec.image.decode(png).outcome?.value)
      _ = memory.set("a", image)
      XCTAssertNotNil(memory.get("a").outcome?.value)
      _ = memory.set("b", image)
      let stored = ["a", "b"].filter { memory.get($0).outcome?.value != nil }
      XCTAssertEqual(stored.count, 1)
    }

    func testTheDiskLeavesTheMainThreadUnlessItMayNot() {
      let stays = "offMainThread: false"
      let plan = CachePresets.image(longestSide: 10).plan.description
      XCTAssertFalse(plan.contains(stays), plan)
      let other = CachePresets.image(longestSide: 10, offMainThread: false).plan.description
      XCTAssertTrue(other.contains(stays), other)
    }
  }
#endif

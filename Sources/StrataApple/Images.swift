#if canImport(ImageIO)
  import Foundation
  import ImageIO

  extension Codec where Stored == Data, Value == CGImage {
    /// A codec that decodes the image formats that the system supports, and encodes images as PNG.
    ///
    /// Images are decoded upright and at full size. For a smaller size, use
    /// ``image(longestSide:)``.
    public static var image: Codec { .image(longestSide: .max) }

    /// Returns a codec that decodes images at a limited size, and encodes images as PNG.
    ///
    /// The thread that provides the bytes decodes the image completely, so the main thread can draw
    /// it without decoding. To save memory, decode an image at the size of its view.
    ///
    ///     let thumbnails: Fetcher<URL, CGImage> = .network() <*> .image(longestSide: 300)
    ///
    /// - Parameter longestSide: The maximum width and height in pixels. Larger images are shrunk,
    ///   but smaller ones aren't enlarged. A number below one counts as one.
    public static func image(longestSide: Int) -> Codec {
      .image(decode: { upright($0, max(1, longestSide)) }, encodePNG: png)
    }

    private static func upright(_ data: Data, _ longestSide: Int) -> CGImage? {
      guard let source = CGImageSourceCreateWithData(NSData(data: data) as CFData, nil) else {
        return nil
      }
      var options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceShouldCacheImmediately: true,
      ]
      if longestSide < .max { options[kCGImageSourceThumbnailMaxPixelSize] = longestSide }
      return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }

    private static func png(_ image: CGImage) -> Data? {
      let data = NSMutableData()
      guard
        let destination = CGImageDestinationCreateWithData(
          data as CFMutableData, "public.png" as CFString, 1, nil)
      else { return nil }
      CGImageDestinationAddImage(destination, image, nil)
      return CGImageDestinationFinalize(destination) ? Data(referencing: data) : nil
    }
  }

  extension MemoryCapacity where Value == CGImage {
    /// Returns a capacity in bytes for decoded images. An image takes four bytes for each pixel.
    public static func bytes(_ limit: Int) -> MemoryCapacity {
      .bytes(limit) { 4 * $0.width * $0.height }
    }
  }
#endif

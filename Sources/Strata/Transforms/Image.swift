import Foundation

extension Codec where Stored == Data {
  /// A codec of images from a platform's two functions; on one without images, for its tests.
  static func image(
    decode: @escaping @Sendable (Data) -> Value?, encodePNG: @escaping @Sendable (Value) -> Data?
  ) -> Codec {
    Codec(
      label: "image",
      decode: { data throws -> Value in
        guard let image = decode(data) else {
          let head = data.prefix(16).map { String($0, radix: 16) }.joined(separator: " ")
          throw CacheError.undecodable(
            by: "image", reason: "\(data.count) bytes that are not an image: \(head)")
        }
        return image
      },
      encode: { image throws -> Data in
        guard let data = encodePNG(image) else {
          throw CacheError.unencodable(by: "image", reason: "no PNG of \(bounded("\(image)"))")
        }
        return data
      })
  }
}

#if canImport(UIKit)
  import UIKit

  extension Codec where Stored == Data, Value == UIImage {
    /// Images: whatever the system reads, written as PNG.
    public static var image: Codec {
      .image(decode: { UIImage(data: $0) }, encodePNG: { $0.pngData() })
    }
  }
#elseif canImport(AppKit)
  import AppKit

  extension Codec where Stored == Data, Value == NSImage {
    /// Images: whatever the system reads, written as PNG.
    public static var image: Codec {
      .image(
        decode: { NSImage(data: $0) },
        encodePNG: { image in
          let bitmap = image.tiffRepresentation.flatMap(NSBitmapImageRep.init)
          return bitmap?.representation(using: .png, properties: [:])
        })
    }
  }
#endif

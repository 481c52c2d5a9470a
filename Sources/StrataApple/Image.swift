import Foundation

extension Codec where Stored == Data {
  /// Returns an image codec that uses the platform's functions to decode and encode.
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

import Foundation

extension Codec where Stored == String, Value == Data {
  /// A codec that stores bytes as Base64 text (RFC 4648, section 4).
  ///
  /// When the text isn't Base64, decoding fails with ``CacheError/undecodable(by:reason:)``.
  ///
  ///     let stamps: Codec<Data, Data> = .utf8 >>> .base64
  ///     try await stamps.encode(Data([1, 2, 3])).value  // the bytes of "AQID"
  ///
  /// - Law: `decode(encode(b)) == b`. See `CodecLaws`.
  public static var base64: Codec {
    Codec(
      label: "base64",
      decode: { text throws -> Data in
        guard let data = Data(base64Encoded: text) else {
          throw CacheError.undecodable(by: "base64", reason: bounded("\"\(text)\" is not Base64"))
        }
        return data
      },
      encode: { data throws -> String in data.base64EncodedString() })
  }
}

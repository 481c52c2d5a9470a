import Foundation

extension Codec where Stored == Data, Value == String {
  /// A codec that stores text as UTF-8.
  ///
  /// The codec doesn't repair invalid UTF-8. Instead, decoding fails with
  /// ``CacheError/undecodable(by:reason:)``.
  ///
  ///     let pages: Cache<String, String> = .disk("pages") <*> .utf8
  ///
  /// - Law: `decode(encode(b)) == b`. See `CodecLaws`.
  public static var utf8: Codec {
    Codec(
      label: "utf8",
      decode: { data throws -> String in
        guard let text = data.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
          throw CacheError.undecodable(by: "utf8", reason: "\(data.count) bytes that are not UTF-8")
        }
        return text
      },
      encode: { text throws -> Data in Data(utf8: text) })
  }

  /// Returns a codec that stores text in one of Foundation's encodings.
  ///
  /// If the encoding can't represent a text without loss, the codec fails with
  /// ``CacheError/unencodable(by:reason:)``. When bytes are invalid in the encoding, it fails with
  /// ``CacheError/undecodable(by:reason:)``.
  ///
  ///     let letters: Cache<String, String> = .disk("letters") <*> .string(.isoLatin1)
  ///
  /// - Parameter encoding: The encoding of the stored bytes.
  /// - Law: `decode(encode(b)) == b` for text that the encoding can represent. See `CodecLaws`.
  public static func string(_ encoding: String.Encoding) -> Codec {
    let label = "string(\(encoding))"
    return Codec(
      label: label,
      decode: { data throws -> String in
        guard let text = String(data: data, encoding: encoding) else {
          throw CacheError.undecodable(
            by: label, reason: "\(data.count) bytes that are invalid in this encoding")
        }
        return text
      },
      encode: { text throws -> Data in
        guard let data = text.data(using: encoding) else {
          throw CacheError.unencodable(
            by: label, reason: bounded("no bytes for \"\(text)\" in this encoding"))
        }
        return data
      })
  }
}

import Foundation

extension Codec where Stored == Data, Value == String {
  /// UTF-8 text.
  ///
  /// Bytes that are none fail with ``CacheError/undecodable(by:reason:)``; nothing is replaced.
  ///
  ///     let pages: Cache<String, String> = .disk("pages") <*> .utf8
  ///
  /// - Law: `decode(encode(b)) == b`; see `CodecLaws`.
  public static var utf8: Codec {
    Codec(
      label: "utf8",
      decode: { data throws -> String in
        guard let text = String(validating: data, as: UTF8.self) else {
          throw CacheError.undecodable(by: "utf8", reason: "\(data.count) bytes that are not UTF-8")
        }
        return text
      },
      encode: { text throws -> Data in Data(text.utf8) })
  }

  /// Text in an encoding of Foundation.
  ///
  /// Text that the encoding cannot represent without loss fails with
  /// ``CacheError/unencodable(by:reason:)``, and bytes that are none with
  /// ``CacheError/undecodable(by:reason:)``.
  ///
  ///     let letters: Cache<String, String> = .disk("letters") <*> .string(.isoLatin1)
  ///
  /// - Parameter encoding: Which bytes stand for which text.
  /// - Law: `decode(encode(b)) == b` for text that the encoding represents; see `CodecLaws`.
  public static func string(_ encoding: String.Encoding) -> Codec {
    let label = "string(\(encoding))"
    return Codec(
      label: label,
      decode: { data throws -> String in
        guard let text = String(data: data, encoding: encoding) else {
          throw CacheError.undecodable(
            by: label, reason: "\(data.count) bytes that are not of this encoding")
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

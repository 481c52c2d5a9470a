import Foundation

extension Codec where Stored == Data, Value: Codable {
  /// JSON, by the value's own `Codable`.
  ///
  /// A bare string, number or `null` is JSON as well.
  ///
  ///     let articles: Cache<String, Article> = .disk("articles") <*> .json()
  ///
  /// - Parameters:
  ///   - decoder: Reads; do not change it afterwards.
  ///   - encoder: Writes; do not change it afterwards.
  /// - Returns: A codec that fails with ``CacheError/undecodable(by:reason:)`` and
  ///   ``CacheError/unencodable(by:reason:)``, with at most 200 characters of the reason.
  /// - Law: `decode(encode(b)) == b` for values whose `Codable` keeps it; see `CodecLaws`.
  public static func json(
    decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> Codec {
    Codec(
      label: "json",
      decode: { data throws -> Value in
        do { return try decoder.decode(Value.self, from: data) } catch {
          throw CacheError.undecodable(by: "json", reason: bounded("\(error)"))
        }
      },
      encode: { value throws -> Data in
        do { return try encoder.encode(value) } catch {
          throw CacheError.unencodable(by: "json", reason: bounded("\(error)"))
        }
      })
  }
}

extension Codec where Stored == Data {
  /// Not there for a value that is not `Codable`.
  @available(
    *, unavailable,
    message: "the value is not Codable: declare it so, or write Codec(decode:encode:) for it"
  )
  public static func json() -> Codec { .failing }
}

extension Codec {
  /// What an overload that must not be called returns.
  static var failing: Codec {
    Codec(
      label: "failing", decode: { _ in Promise(error: CacheError.notFound) },
      encode: { _ in Promise(error: CacheError.notFound) })
  }
}

/// The beginning of a description, so that an error about a megabyte does not hold a megabyte.
///
/// Counted in scalars: one character may be a letter with a million accents.
func bounded(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: 200, limitedBy: scalars.endIndex),
    end < scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}

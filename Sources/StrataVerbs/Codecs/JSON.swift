import Foundation

extension Codec where Stored == Data, Value: Codable {
  /// Returns a codec that stores `Codable` values as JSON.
  ///
  /// Bare strings, numbers, and `null` are valid JSON, so the codec accepts them as well.
  ///
  ///     let articles: Cache<String, Article> = .disk("articles") <*> .json()
  ///
  /// The codec must be able to decode its own output. So if you pass only a decoder, the encoder
  /// has the same `userInfo`, and the same strategies for dates, data, keys, and numbers. But a
  /// custom strategy, such as `.formatted(_:)`, can't be reversed. Then encoding fails, and the
  /// error advises you to pass an encoder. In the same way, if you pass only an encoder, the
  /// decoder takes over the encoder's strategies.
  ///
  /// Foundation decodes and encodes recursively, so deeply nested data could overflow the stack of
  /// a thread. Therefore decoding and encoding fail if arrays and objects are nested more than 128
  /// levels deep. To measure the depth of a value, the codec calls the value's `encode(to:)` once
  /// more before it encodes the value.
  ///
  /// - Parameters:
  ///   - decoder: The decoder. Don't change the decoder after this call.
  ///   - encoder: The encoder. Don't change the encoder after this call.
  /// - Returns: A codec whose decoding errors are ``CacheError/undecodable(by:reason:)`` and whose
  ///   encoding errors are ``CacheError/unencodable(by:reason:)``. These errors contain at most 200
  ///   characters of Foundation's message.
  /// - Law: `decode(encode(b)) == b` for values whose `Codable` conformance preserves all data. See
  ///   `CodecLaws`.
  public static func json(
    decoder: JSONDecoder? = nil, encoder: JSONEncoder? = nil
  ) -> Codec {
    let mirrored = decoder.map(JSONStrategies.encoder(matching:))
    let encoding = encoder.map { JSONStrategies.Derived($0) } ?? mirrored ?? .init(JSONEncoder())
    let decoding =
      decoder.map { JSONStrategies.Derived($0) } ?? encoder.map(JSONStrategies.decoder(matching:))
      ?? .init(JSONDecoder())
    return Codec(
      label: "json",
      decode: { data throws -> Value in
        do {
          let decoder = try decoding.get()
          return try decoder.decode(
            Value.self, from: JSONDepth.checked(data, isJSON5: decoder.allowsJSON5))
        } catch {
          throw undecodable(by: "json", error)
        }
      },
      encode: { value throws -> Data in
        do {
          let encoder = try encoding.get()
          try EncodingDepth.check(value, userInfo: encoder.userInfo)
          return try encoder.encode(value)
        } catch {
          throw unencodable(by: "json", error)
        }
      })
  }
}

extension Codec where Stored == Data {
  /// Unavailable because the value isn't `Codable`.
  @available(
    *, unavailable,
    message: "the value is not Codable: conform it to Codable, or use Codec(decode:encode:)"
  )
  public static func json() -> Codec { unavailable() }
}

/// Returns the cache error for an error from a Foundation decoder.
@inline(never)
func undecodable(by codec: String, _ error: any Error) -> CacheError {
  .undecodable(by: codec, reason: bounded("\(error)"))
}

/// Returns the cache error for an error from a Foundation encoder.
@inline(never)
func unencodable(by codec: String, _ error: any Error) -> CacheError {
  .unencodable(by: codec, reason: bounded("\(error)"))
}

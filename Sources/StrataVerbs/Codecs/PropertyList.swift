import Foundation

extension Codec where Stored == Data, Value: Codable {
  /// Returns a codec that stores `Codable` values as property lists.
  ///
  /// Values must encode as an array or a dictionary, because a property list can't be a bare value
  /// such as a number.
  ///
  ///     let articles: Cache<String, Article> = .userDefaults() <*> .propertyList()
  ///
  /// The codec decodes both XML and binary property lists. To prevent a stack overflow in
  /// Foundation, decoding and encoding fail if data is nested more than 128 levels deep. Decoding
  /// also fails for XML that contains a NUL character.
  ///
  /// When you pass only a decoder or only an encoder, the other one takes over its `userInfo`.
  ///
  /// - Parameters:
  ///   - decoder: The decoder. Don't change the decoder after this call.
  ///   - encoder: The encoder. Don't change the encoder after this call. By default, it's a new
  ///     encoder that writes the binary format.
  /// - Returns: A codec whose decoding errors are ``CacheError/undecodable(by:reason:)`` and whose
  ///   encoding errors are ``CacheError/unencodable(by:reason:)``. These errors contain at most 200
  ///   characters of Foundation's message.
  /// - Law: `decode(encode(b)) == b` for values whose `Codable` conformance preserves all data. See
  ///   `CodecLaws`.
  public static func propertyList(
    decoder: PropertyListDecoder? = nil, encoder: PropertyListEncoder? = nil
  ) -> Codec {
    let binary = PropertyListEncoder()
    binary.outputFormat = .binary
    if let decoder { binary.userInfo = decoder.userInfo }
    let plain = PropertyListDecoder()
    if let encoder { plain.userInfo = encoder.userInfo }
    let (decoder, encoder) = (decoder ?? plain, encoder ?? binary)
    return Codec(
      label: "propertyList",
      decode: { data throws -> Value in
        do {
          try PropertyListDepth.check(data)
          return try decoder.decode(Value.self, from: data)
        } catch {
          throw undecodable(by: "propertyList", error)
        }
      },
      encode: { value throws -> Data in
        do {
          try EncodingDepth.check(value, userInfo: encoder.userInfo)
          let data = try encoder.encode(value)
          try PropertyListDepth.check(data)  // Throws if the data is nested too deeply.
          return data
        } catch {
          throw unencodable(by: "propertyList", error)
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
  public static func propertyList() -> Codec { unavailable() }
}

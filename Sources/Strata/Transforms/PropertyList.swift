import Foundation

extension Codec where Stored == Data, Value: Codable {
  /// A property list, by the value's own `Codable`.
  ///
  /// The value must be an array, a dictionary or a type that encodes as one: a property list has no
  /// bare values.
  ///
  ///     let articles: Cache<String, Article> = .userDefaults() <*> .propertyList()
  ///
  /// XML is read as well as binary. Foundation reads property lists recursively, so data nested
  /// more than 128 deep is refused before it does, and not written either; nor is text with a NUL
  /// as XML.
  ///
  /// - Parameters:
  ///   - decoder: Reads; do not change it afterwards.
  ///   - encoder: Writes, binary unless told otherwise; do not change it afterwards.
  /// - Returns: A codec that fails with ``CacheError/undecodable(by:reason:)`` and
  ///   ``CacheError/unencodable(by:reason:)``, with at most 200 characters of the reason.
  /// - Law: `decode(encode(b)) == b` for values whose `Codable` keeps it; see `CodecLaws`.
  public static func propertyList(
    decoder: PropertyListDecoder = PropertyListDecoder(),
    encoder: PropertyListEncoder = .binary
  ) -> Codec {
    Codec(
      label: "propertyList",
      decode: { data throws -> Value in
        do {
          try PropertyListDepth.check(data)
          return try decoder.decode(Value.self, from: data)
        } catch {
          throw CacheError.undecodable(by: "propertyList", reason: bounded("\(error)"))
        }
      },
      encode: { value throws -> Data in
        do {
          let data = try encoder.encode(value)
          try PropertyListDepth.check(data)  // What is written can be read.
          return data
        } catch {
          throw CacheError.unencodable(by: "propertyList", reason: bounded("\(error)"))
        }
      })
  }
}

extension PropertyListEncoder {
  /// A new encoder that writes the binary format.
  public static var binary: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return encoder
  }
}

extension Codec where Stored == Data {
  /// Not there for a value that is not `Codable`.
  @available(
    *, unavailable,
    message: "the value is not Codable: declare it so, or write Codec(decode:encode:) for it"
  )
  public static func propertyList() -> Codec { .failing }
}

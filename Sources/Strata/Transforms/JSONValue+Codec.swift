import Foundation

extension Codec where Stored == Data, Value == JSONValue {
  /// JSON without a model (RFC 8259): arrays and objects, and bare values as well, both ways.
  ///
  ///     let settings: Cache<String, JSONValue> = .disk("settings") <*> .jsonValue
  ///
  /// Written without spaces, and names in the order of their scalars, so that equal values are
  /// equal bytes. Neither direction recurses, and values nested more than 512 deep are refused: no
  /// data overflows the stack.
  ///
  /// - Returns: A codec that fails with ``CacheError/undecodable(by:reason:)`` for what is not
  ///   JSON, with the place in bytes and what stands there, and with
  ///   ``CacheError/unencodable(by:reason:)`` for a number that is infinite or none.
  /// - Complexity: O(n) in bytes, and O(n log n) for the names of an object.
  /// - Law: `decode(encode(b)) == b`; see `CodecLaws`.
  public static var jsonValue: Codec {
    Codec(
      label: "jsonValue",
      decode: { data throws -> JSONValue in
        try data.withUnsafeBytes { bytes in
          var reader = JSONReader(bytes)
          do throws(JSONFault) { return try reader.read() } catch {
            throw CacheError.undecodable(by: "jsonValue", reason: reader.description(of: error))
          }
        }
      },
      encode: { value throws -> Data in
        var writer = JSONWriter()
        do throws(JSONFault) { try writer.write(value) } catch {
          throw CacheError.unencodable(by: "jsonValue", reason: error.rawValue)
        }
        return Data(writer.bytes)
      })
  }
}

/// Why something is not JSON, or has none.
enum JSONFault: String, Error {
  case unexpected = "unexpected"
  case unfinished = "unfinished"
  case trailing = "more after the end"
  case tooDeep = "nested more than 512 deep"
  case notText = "not a text"
  case outOfRange = "a number out of range"
  case notANumber = "an infinite number, or none, has no JSON"
}

import Foundation

extension Codec where Stored == Data, Value == JSONValue {
  /// A codec for JSON that has no model type: arrays, objects, and bare values.
  ///
  ///     let settings: Cache<String, JSONValue> = .disk("settings") <*> .jsonValue
  ///
  /// The codec sorts the names in each object, and writes no whitespace, so the bytes don't depend
  /// on the order of names. Decoding and encoding fail if a value is nested more than 64 levels
  /// deep. For invalid JSON, decoding fails with ``CacheError/undecodable(by:reason:)``. For an
  /// infinite number or NaN, encoding fails with ``CacheError/unencodable(by:reason:)``.
  ///
  /// - Complexity: O(n) in the number of bytes, plus O(n log n) in the number of names in an
  ///   object.
  /// - Law: `decode(encode(b)) == b`. See `CodecLaws`.
  public static var jsonValue: Codec {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return .json(encoder: encoder)
  }
}

extension JSONValue: Codable {
  /// A name in an object.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The maximum nesting depth of arrays and objects. Foundation decodes recursively, so this limit
  /// prevents a stack overflow.
  private static let deepest = 64

  /// Decodes a value from any decoder of self-describing data, such as `JSONDecoder`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let string = try value.decodeIfMatching(String.self, "the string isn't valid Unicode")
    {
      self = .string(string)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try value.decodeIfMatching(
      Double.self, "the number is too large for a Double, or isn't valid JSON")
    {
      self = .number(number)
    } else if decoder.codingPath.count >= Self.deepest {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "nested more than \(Self.deepest) deep"))
    } else if var array = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !array.isAtEnd { values.append(try array.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      let object = try decoder.container(keyedBy: Name.self)
      var values: [String: JSONValue] = [:]
      for name in object.allKeys {
        values[name.stringValue] = try object.decode(JSONValue.self, forKey: name)
      }
      self = .object(values)
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: `EncodingError` if the value is nested more than 64 levels deep. Also throws
  ///   `EncodingError` for an infinite number or NaN, unless the encoder supports such numbers.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number):
      // The shortest text of a large `Double`, such as `1.152921504606847e+18`, is decoded as
      // another integer.
      if number != 0, let integer = Int(exactly: number) {
        try value.encode(integer)
      } else {
        try value.encode(number)
      }
    case .string(let string): try value.encode(string)
    case .array, .object:
      guard encoder.codingPath.count < Self.deepest else {
        throw EncodingError.invalidValue(
          "…", .init(codingPath: [], debugDescription: "nested more than \(Self.deepest) deep"))
      }
      try encodeParts(to: encoder)
    }
  }

  private func encodeParts(to encoder: any Encoder) throws {
    switch self {
    case .array(let values):
      var array = encoder.unkeyedContainer()
      for value in values { try array.encode(value) }
    case .object(let values):
      var object = encoder.container(keyedBy: Name.self)
      for (name, value) in values { try object.encode(value, forKey: Name(stringValue: name)) }
    default: break
    }
  }
}

extension SingleValueDecodingContainer {
  /// Returns the value, or `nil` if it has another type. Throws an error with the text `fault` if
  /// the value has this type but can't be represented. Examples are the string `"\\ud800"` and the
  /// number `1e400`.
  fileprivate func decodeIfMatching<Value: Decodable>(
    _ type: Value.Type, _ fault: String
  ) throws -> Value? {
    do { return try decode(type) } catch {
      switch error {
      case DecodingError.typeMismatch, DecodingError.valueNotFound: return nil
      default:
        throw DecodingError.dataCorrupted(
          .init(codingPath: codingPath, debugDescription: fault, underlyingError: error))
      }
    }
  }
}

import StrataNetwork

/// Reads and compares entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
  /// Returns the tags in a list field, such as `If-None-Match`.
  static func list(_ fields: HeaderFields, _ name: String) -> [String] { fields.elements(of: name) }

  /// Whether a tag is strong: quoted and without the prefix `W/`.
  static func isStrong(_ tag: String) -> Bool {
    tag.utf8.count >= 2 && tag.utf8.first == quote && tag.utf8.last == quote
  }

  /// Whether two tags are equal and strong (RFC 9110, section 8.8.3.2).
  static func matchesStrongly(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return false }
    return HTTPSyntax.same(one, other) && isStrong(one)
  }

  /// Whether two tags are equal without their `W/` prefixes (RFC 9110, section 8.8.3.2).
  static func matchesWeakly(_ one: String, _ other: String) -> Bool {
    opaque(one).elementsEqual(opaque(other))
  }

  /// Whether a validator is an entity tag instead of a date.
  static func isTag(_ validator: String) -> Bool {
    validator.utf8.first == quote || validator.utf8.starts(with: "W/".utf8)
  }

  private static let quote = UInt8(ascii: "\"")

  private static func opaque(_ tag: String) -> Substring.UTF8View {
    tag.utf8.dropFirst(tag.utf8.starts(with: "W/".utf8) ? 2 : 0)
  }
}

extension NetworkResponse {
  /// The entity tag of the response, or `nil` if there is none, an empty one, or several different
  /// ones.
  var entityTag: String? {
    validator("ETag")
  }

  /// The value of `Last-Modified`, even if it isn't a date. It's `nil` if there is no value, an
  /// empty one, or several different ones.
  var lastModified: String? { validator("Last-Modified") }

  private func validator(_ name: String) -> String? {
    let values = fields.values(of: name)
    guard let first = values.first, !first.isEmpty,
      values.allSatisfy({ HTTPSyntax.same($0, first) })
    else { return nil }
    return first
  }
}

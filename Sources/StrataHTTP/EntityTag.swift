import Strata

/// Reads and compares entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
  /// Returns the tags in a list field, such as `If-None-Match`.
  static func list(_ fields: HTTPFields, _ name: String) -> [String] { fields.elements(of: name) }

  /// Whether a tag is strong. A strong tag is quoted and doesn't have the prefix `W/`.
  static func isStrong(_ tag: String) -> Bool {
    tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
  }

  /// Whether two tags are equal and strong (RFC 9110, section 8.8.3.2).
  static func matchesStrongly(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return false }
    return one == other && isStrong(one)
  }

  /// Whether two tags are equal if their `W/` prefixes are ignored (RFC 9110, section 8.8.3.2).
  static func matchesWeakly(_ one: String, _ other: String) -> Bool {
    opaque(one) == opaque(other)
  }

  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}

extension HTTPResponse {
  /// The entity tag of the response, or `nil` if the tag is absent or empty, or if there are
  /// several different tags.
  var entityTag: String? {
    let tags = fields.values(of: "ETag")
    guard let first = tags.first, !first.isEmpty, tags.allSatisfy({ $0 == first }) else {
      return nil
    }
    return first
  }
}

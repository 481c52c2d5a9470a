import StrataNetwork

/// Selects stored responses by the `Vary` field (RFC 9111, section 4.1).
enum Vary {
  /// The maximum number of names in `Vary`. Longer lists count as `*`, because each search would
  /// compare that many fields with the fields of up to 32 variants.
  static let maximumNames = 64

  /// Returns the names in `Vary`, sorted and in lower case, or `nil` if no other request can match.
  /// A member that isn't a field name, such as `Accept Cookie` without its comma, counts as `*`,
  /// because the origin's meaning is unclear.
  static func names(_ response: HeaderFields) -> [String]? {
    let names = Set(response.elements(of: "Vary").map { $0.lowercased() })
    guard !names.contains("*"), names.count <= maximumNames, names.allSatisfy(HTTPSyntax.isToken)
    else { return nil }
    return names.sorted()
  }

  /// Returns the request fields that the response's `Vary` field lists, sorted by name.
  static func selecting(_ response: HeaderFields, _ request: HeaderFields) -> [SelectingField] {
    (names(response) ?? []).map { SelectingField(name: $0, value: value(of: $0, in: request)) }
  }

  /// Whether a stored response matches a request. With `Vary: *`, it never does.
  static func matches(_ stored: StoredResponse, _ request: HeaderFields) -> Bool {
    names(stored.response.fields) != nil
      && stored.selecting.allSatisfy {
        // Compares bytes, because `==` would accept canonically equivalent values.
        value(of: $0.name, in: request).map { Array($0.utf8) } == $0.value.map { Array($0.utf8) }
      }
  }

  /// Returns the normalized value of a field, or `nil` if the field is absent. Repeated fields are
  /// combined, and spaces around commas are removed.
  static func value(of name: String, in fields: HeaderFields) -> String? {
    guard fields.contains(name) else { return nil }
    let elements = fields.elements(of: name)
    switch name {
    case "accept-encoding", "accept-charset":
      return Set(elements.map(preference)).sorted().joined(separator: ",")
    // Many servers prefer the first of several languages of one weight (RFC 9110, section 12.5.4).
    case "accept-language": return elements.map(preference).joined(separator: ",")
    default: return elements.joined(separator: ",")
    }
  }

  /// Returns a preference, such as `de;q=0.5`, in lower case and without spaces. Weights of 1 are
  /// removed, because 1 is the default.
  private static func preference(_ element: String) -> String {
    let parts = element.lowercased().split(separator: ";").map { HTTPSyntax.trimmed(String($0)) }
    return parts.filter { !["q=1", "q=1.0", "q=1.00", "q=1.000"].contains($0) }
      .joined(separator: ";")
  }
}

import Strata

/// Cache keys calculated with `Vary` (RFC 9111, section 4.1).
enum Vary {
  /// Returns the request fields that a response nominates, in the order of their names.
  static func selecting(_ response: HTTPFields, _ request: HTTPFields) -> [SelectingField] {
    Set(response.elements(of: "Vary").map { $0.lowercased() }).sorted()
      .map { SelectingField(name: $0, value: value(of: $0, in: request)) }
  }

  /// Whether a request selects a stored response. A response with `Vary: *` never matches.
  static func matches(_ stored: StoredResponse, _ request: HTTPFields) -> Bool {
    !stored.response.fields.elements(of: "Vary").contains("*")
      && stored.selecting.allSatisfy { value(of: $0.name, in: request) == $0.value }
  }

  /// The normalized value of a field: repeated fields are combined, and the spaces around commas
  /// are removed. `nil` if the field is absent.
  static func value(of name: String, in fields: HTTPFields) -> String? {
    guard fields.contains(name) else { return nil }
    let elements = fields.elements(of: name)
    guard ["accept-language", "accept-encoding", "accept-charset"].contains(name) else {
      return elements.joined(separator: ",")
    }
    return Set(elements.map(preference)).sorted().joined(separator: ",")
  }

  /// A preference without spaces, in lower case, and without a weight of 1, which is the default.
  private static func preference(_ element: String) -> String {
    let parts = element.lowercased().split(separator: ";").map { HTTPSyntax.trimmed(String($0)) }
    return parts.filter { !["q=1", "q=1.0", "q=1.00", "q=1.000"].contains($0) }
      .joined(separator: ";")
  }
}

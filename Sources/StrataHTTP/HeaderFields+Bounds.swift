import StrataNetwork

extension HTTPSyntax {
  /// The maximum number of elements in a list that the cache interprets. It's the number that RFC
  /// 8941, section 3.2, requires for structured fields.
  static let maximumElements = 1024
}

extension HeaderFields {
  /// Returns the elements of the comma-separated lists in all fields with the given name, or `nil`
  /// if there are more than ``HTTPSyntax/maximumElements``.
  func boundedElements(of name: String) -> [String]? {
    let elements = elements(of: name)
    return elements.count <= HTTPSyntax.maximumElements ? elements : nil
  }
}

extension HTTPFields {
  /// The values of a name, one for each field, in the order of the message.
  public func values(of name: String) -> [String] {
    compactMap { HTTPSyntax.equal($0.name, name) ? $0.value : nil }
  }

  /// The elements of a comma-separated list, over all fields of a name.
  ///
  /// A comma within a quoted string doesn't separate, and empty elements are dropped (RFC 9110,
  /// section 5.6.1). An unterminated quoted string extends to the end of its field.
  ///
  ///     let fields: HTTPFields = ["Cache-Control": "private=\"a,b\", max-age=1"]
  ///     fields.elements(of: "Cache-Control")  // ["private=\"a,b\"", "max-age=1"]
  ///
  /// - Complexity: O(n) in the bytes of the values.
  public func elements(of name: String) -> [String] {
    values(of: name).flatMap(HTTPSyntax.elements)
  }
}

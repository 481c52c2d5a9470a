extension HeaderFields {
  /// Returns the values of all fields with the given name, in the order of the message.
  public func values(of name: String) -> [String] {
    var values: [String] = []
    for field in self where HTTPSyntax.equal(field.name, name) { values.append(field.value) }
    return values
  }

  /// Returns the elements of the comma-separated lists in all fields with the given name.
  ///
  /// Commas in a quoted string don't separate elements, and empty elements are dropped (RFC 9110,
  /// section 5.6.1). Quoted strings without a closing quote extend to the end of their field.
  ///
  ///     let fields: HeaderFields = ["Cache-Control": "private=\"a,b\", max-age=1"]
  ///     fields.elements(of: "Cache-Control")  // ["private=\"a,b\"", "max-age=1"]
  ///
  /// - Complexity: O(n), where n is the number of bytes in the values.
  public func elements(of name: String) -> [String] {
    values(of: name).flatMap(HTTPSyntax.elements)
  }
}

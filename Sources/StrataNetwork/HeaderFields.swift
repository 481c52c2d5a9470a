/// The header fields of a message, in the order in which they arrived.
///
/// Comparisons of names ignore case. When a name appears several times, the subscript joins the
/// values with commas (RFC 9110, section 5.3). For the individual values, use ``values(of:)``.
///
///     var fields: HeaderFields = ["ETag": "\"1\"", "Vary": "Accept"]
///     fields.append("Accept-Language", for: "vary")
///     fields["Vary"]  // "Accept, Accept-Language"
///
/// - Complexity: A lookup takes O(n), where n is the number of fields.
public struct HeaderFields: Sendable, Equatable {
  /// A line of the header: a name and a value.
  public struct Field: Sendable, Equatable {
    /// The name in its original case. Comparisons ignore the case.
    public let name: String
    /// The value without leading or trailing spaces and tabs.
    ///
    /// Each byte that isn't part of valid UTF-8 appears as a scalar from U+10FF80 to U+10FFFF,
    /// whose last two digits are the byte. When a request contains such a scalar, libcurl sends the
    /// original byte. So values such as entity tags return to the origin unchanged. To show a value
    /// to users, use ``text``.
    public let value: String

    /// The value as users should see it. Here, bytes that aren't UTF-8 count as Latin-1, which
    /// early versions of HTTP used.
    public var text: String { RawText.readable(value) }

    /// Creates a field, and removes leading and trailing spaces and tabs from the value.
    public init(name: String, value: String) {
      self.name = name
      self.value = HTTPSyntax.trimmed(value)
    }

    /// Whether two fields have the same bytes as values and, ignoring case, equal names.
    @inline(never)
    public static func == (one: Field, other: Field) -> Bool {
      HTTPSyntax.same(one.value, other.value) && HTTPSyntax.equal(one.name, other.name)
    }
  }

  private var fields: [Field] = []

  /// Creates an empty header.
  public init() {}

  /// Creates a header from fields.
  public init(_ fields: [Field]) { self.fields = fields }

  /// Creates a header from a dictionary. Its fields have no particular order.
  public init(_ fields: [String: String]) {
    for (name, value) in fields { append(value, for: name) }
  }

  /// Adds a field after all others, even if there is already a field with this name.
  public mutating func append(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds fields after all others.
  public mutating func append(contentsOf fields: [Field]) { self.fields += fields }

  /// Removes every field with the given name.
  @inline(never)
  public mutating func remove(_ name: String) {
    fields.removeAll { HTTPSyntax.equal($0.name, name) }
  }

  /// The values of all fields with the given name, joined with commas. It's `nil` if there is no
  /// such field.
  ///
  /// Values of `Set-Cookie` can't be joined with commas, so for this name, the subscript returns
  /// only the first value.
  ///
  /// A new value replaces the value of the first field with this name, and removes all other fields
  /// with the name. When there is no such field, the new one comes last. The value `nil` removes
  /// every field with this name.
  public subscript(name: String) -> String? {
    get {
      var first: String?
      for field in fields where HTTPSyntax.equal(field.name, name) {
        if first == nil {
          first = field.value
        } else if !HTTPSyntax.equal(name, "Set-Cookie") {
          return HTTPSyntax.combined(values(of: name))
        }
      }
      return first
    }
    set {
      let index = fields.firstIndex { HTTPSyntax.equal($0.name, name) } ?? fields.endIndex
      remove(name)
      if let newValue { fields.insert(Field(name: name, value: newValue), at: index) }
    }
  }

  /// Whether at least one field has the given name.
  public func contains(_ name: String) -> Bool {
    for field in fields where HTTPSyntax.equal(field.name, name) { return true }
    return false
  }
}

extension HeaderFields: RandomAccessCollection {
  /// The position of the first field, which is zero.
  public var startIndex: Int { fields.startIndex }

  /// The number of fields.
  public var endIndex: Int { fields.endIndex }

  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Creates a header from names and values, in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

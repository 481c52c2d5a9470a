import StrataNetwork

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2).
///
/// Malformed and conflicting directives are interpreted in the safest way. For example, a lifetime
/// that isn't a single number is invalid. And a directive whose argument isn't a list of field
/// names applies to the whole response. But when there are more directives than
/// ``HTTPSyntax/maximumElements``, the field counts as `no-store`.
struct CacheControl: Sendable, Equatable {
  struct Directive: Sendable, Equatable {
    let name: String  // In lower case.
    let argument: String?
    let isMalformed: Bool
  }

  /// The number of seconds in a directive.
  enum Delta: Equatable {
    case absent
    case invalid
    case seconds(Int64)
  }

  let directives: [Directive]

  /// Reads the directives of all fields with the given name, in order.
  init(_ fields: HeaderFields, name: String = "Cache-Control") {
    let elements = fields.values(of: name).flatMap(Self.elements)
    let isReadable = elements.count <= HTTPSyntax.maximumElements
    directives = (isReadable ? elements : ["no-store"]).compactMap(Directive.init)
  }

  init(_ directives: [Directive]) { self.directives = directives }

  /// Whether a directive is present, with or without an argument.
  func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

  /// Returns the number of seconds in a directive. When a directive occurs with different values,
  /// it's invalid (RFC 9111, section 4.2.1).
  func delta(_ name: String) -> Delta {
    let values = directives.filter { $0.name == name }.map { directive -> Int64? in
      directive.isMalformed ? nil : directive.argument.flatMap(DeltaSeconds.read)
    }
    guard let first = values.first else { return .absent }
    guard let first, values.allSatisfy({ $0 == first }) else { return .invalid }
    return .seconds(first)
  }

  /// Returns the number of seconds in a directive, or `nil` if the directive is absent or invalid.
  func seconds(_ name: String) -> Int64? {
    guard case .seconds(let seconds) = delta(name) else { return nil }
    return seconds
  }

  /// Whether a directive occurs without a list of field names, and therefore applies to the whole
  /// response.
  func isUnqualified(_ name: String) -> Bool {
    directives.contains { $0.name == name && $0.fieldNames == nil }
  }

  /// Returns the names of the fields to which a directive applies, in lower case.
  func fieldNames(_ name: String) -> [String] {
    directives.filter { $0.name == name }.flatMap { $0.fieldNames ?? [] }
  }

  /// Returns the comma-separated elements of a field. When a quoted string isn't terminated, the
  /// commas in it also separate elements, so no directive is lost.
  private static func elements(_ value: String) -> [String] {
    let elements = HTTPSyntax.elements(value)
    let isOpen = elements.contains { !HTTPSyntax.closesQuotations($0) }
    guard isOpen else { return elements }
    return value.split(separator: ",").map { HTTPSyntax.trimmed(String($0)) }
      .filter { !$0.isEmpty }
  }
}

extension CacheControl.Directive {
  /// Reads `name`, `name=token`, or `name="text"`. Returns `nil` if the name is missing.
  init?(_ element: String) {
    let name = element.utf8.prefix(while: HTTPSyntax.isTokenByte)
    guard !name.isEmpty else { return nil }
    let rest = element.utf8.dropFirst(name.count)
    let value = rest.first == UInt8(ascii: "=") ? HTTPSyntax.argument(rest.dropFirst()) : nil
    self.init(
      name: String(Substring(name)).lowercased(), argument: value,
      isMalformed: !rest.isEmpty && value == nil)
  }

  /// The names in the argument, in lower case, or `nil` if the argument is missing or isn't a list
  /// of names.
  fileprivate var fieldNames: [String]? {
    guard let argument, !isMalformed else { return nil }
    let names = HTTPSyntax.elements(argument)
    guard !names.isEmpty, names.allSatisfy({ HTTPSyntax.isToken($0) }) else { return nil }
    return names.map { $0.lowercased() }
  }
}

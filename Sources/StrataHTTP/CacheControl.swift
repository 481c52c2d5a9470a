import Strata

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2).
///
/// Malformed and conflicting directives are interpreted in the safest way. A lifetime that isn't
/// one number is invalid. An argument that isn't a list of names makes its directive unqualified.
struct CacheControl: Sendable, Equatable {
  struct Directive: Sendable, Equatable {
    let name: String  // In lower case.
    let argument: String?
    let isMalformed: Bool
  }

  /// A number of seconds that a directive carries.
  enum Delta: Equatable {
    case absent
    case invalid
    case seconds(Int64)
  }

  let directives: [Directive]

  /// Reads the directives of all fields of a name, in their order.
  init(_ fields: HTTPFields, name: String = "Cache-Control") {
    directives = fields.values(of: name).flatMap(Self.elements).compactMap(Directive.init)
  }

  init(_ directives: [Directive]) { self.directives = directives }

  /// Whether a directive occurs, with or without an argument.
  func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

  /// The seconds of a directive. Several values that differ are invalid (section 4.2.1).
  func delta(_ name: String) -> Delta {
    let values = directives.filter { $0.name == name }.map { directive -> Int64? in
      directive.isMalformed ? nil : directive.argument.flatMap(DeltaSeconds.read)
    }
    guard let first = values.first else { return .absent }
    guard let first, values.allSatisfy({ $0 == first }) else { return .invalid }
    return .seconds(first)
  }

  /// The seconds of a directive if it occurs and is valid.
  func seconds(_ name: String) -> Int64? {
    guard case .seconds(let seconds) = delta(name) else { return nil }
    return seconds
  }

  /// Whether a directive occurs without the names of fields, and so concerns the whole response.
  func isUnqualified(_ name: String) -> Bool {
    directives.contains { $0.name == name && $0.fieldNames == nil }
  }

  /// The names of the fields that a directive concerns, in lower case.
  func fieldNames(_ name: String) -> [String] {
    directives.filter { $0.name == name }.flatMap { $0.fieldNames ?? [] }
  }

  /// The elements of a field. If a quoted string is unterminated, every comma separates elements.
  /// So a directive that forbids something isn't lost inside the string.
  private static func elements(_ value: String) -> [String] {
    let elements = HTTPSyntax.elements(value)
    let isOpen = elements.contains { !HTTPSyntax.closesQuotations($0) }
    guard isOpen else { return elements }
    return value.split(separator: ",").map { HTTPSyntax.trimmed(String($0)) }
      .filter { !$0.isEmpty }
  }
}

extension CacheControl.Directive {
  /// Reads `name`, `name=token` or `name="text"`. Returns `nil` without a name.
  init?(_ element: String) {
    let name = element.utf8.prefix(while: HTTPSyntax.isTokenByte)
    guard !name.isEmpty else { return nil }
    let rest = element.utf8.dropFirst(name.count)
    let value = rest.first == UInt8(ascii: "=") ? HTTPSyntax.argument(rest.dropFirst()) : nil
    self.init(
      name: String(Substring(name)).lowercased(), argument: value,
      isMalformed: !rest.isEmpty && value == nil)
  }

  /// The names in the argument, in lower case, or `nil` without an argument that is a list of
  /// names.
  fileprivate var fieldNames: [String]? {
    guard let argument, !isMalformed else { return nil }
    let names = HTTPSyntax.elements(argument)
    guard !names.isEmpty, names.allSatisfy({ HTTPSyntax.isToken($0) }) else { return nil }
    return names.map { $0.lowercased() }
  }
}

/// A JSON value, for data that has no model type.
///
///     let settings: JSONValue = ["theme": "dark", "sizes": [12, 14.5], "beta": nil]
///     settings["sizes"]?[0]?.number  // 12.0
///
/// A number is decoded as an ``integer(_:)`` if it has no fraction and fits into an `Int`, and
/// otherwise as a ``number(_:)``, which is the nearest `Double`. JSON doesn't distinguish `1` from `1.0`, so an ``integer(_:)``
/// equals a ``number(_:)`` with the same value.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction.
  case integer(Int)
  /// Any other number. Infinite numbers and NaN can't be encoded.
  case number(Double)
  /// A string.
  case string(String)
  /// Ordered values.
  case array([JSONValue])
  /// Unordered values by name. If Swift treats two names as equal, the first value wins, both in a
  /// literal and in decoded JSON.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The value with the given name, or `nil` if this value isn't an object or doesn't contain the
  /// name.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let values) = self else { return nil }
    return values[name]
  }

  /// The value at a zero-based index, or `nil` if this value isn't an array or the index is out of
  /// bounds.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// The Boolean, or `nil` if this value isn't a Boolean.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The integer, or `nil` if this value isn't an integer.
  public var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The value as a `Double`, or `nil` if this value isn't a number. Integers beyond 2^53 are
  /// rounded.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The string, or `nil` if this value isn't a string.
  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }
}

extension JSONValue: Equatable {
  /// Whether two values represent the same JSON.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      Int(exactly: number) == integer
    case (.string(let one), .string(let other)): one == other
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    default: false
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null` from `nil`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates a Boolean from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates an integer from a literal.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Creates a number from a literal.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a string from a literal.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates an array from a literal.
  public init(arrayLiteral values: JSONValue...) { self = .array(values) }

  /// Creates an object from a literal. Of two equal names, the first value wins.
  public init(dictionaryLiteral values: (String, JSONValue)...) {
    self = .object(Dictionary(values) { first, _ in first })
  }
}

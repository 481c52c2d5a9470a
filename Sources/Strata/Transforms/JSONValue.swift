/// Any JSON at all, as a value: for what has no model of its own.
///
///     let settings: JSONValue = ["theme": "dark", "sizes": [12, 14.5], "beta": nil]
///     settings["sizes"]?[0]?.number  // 12.0
///
/// A number without a fraction or an exponent that fits into an `Int` is an ``integer(_:)``, any
/// other a ``number(_:)``; they are not equal to each other.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written as an integer.
  case integer(Int)
  /// Any other number; what is infinite or not a number has no JSON.
  case number(Double)
  /// Text.
  case string(String)
  /// Values in their order.
  case array([JSONValue])
  /// Values by name, in no order; of names that Swift holds equal the last one counts.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The value of a name; `nil` if there is none, and of anything but an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let values) = self else { return nil }
    return values[name]
  }

  /// The value at a place, from 0; `nil` if there is none, and of anything but an array.
  public subscript(place: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(place) else { return nil }
    return values[place]
  }

  /// The truth value, if it is one.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The integer, if it is one.
  public var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The number, if it is one, written as an integer or not; integers beyond 2^53 are rounded.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The text, if it is one.
  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes `null` of `nil`.
  public init(nilLiteral: ()) { self = .null }

  /// Makes a truth value of a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes an integer of a literal.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Makes a number of a literal.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a text of a literal.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes an array of a literal.
  public init(arrayLiteral values: JSONValue...) { self = .array(values) }

  /// Makes an object of a literal; of equal names the last one counts.
  public init(dictionaryLiteral values: (String, JSONValue)...) {
    self = .object(Dictionary(values) { $1 })
  }
}

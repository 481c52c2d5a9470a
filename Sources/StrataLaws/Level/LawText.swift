import Foundation

/// The text of keys and values in violations, which shows the difference between similar keys.
enum LawText {
  /// Returns a description such as `"e\u{301}"` or `"k" * 300 + "1"`. Unicode scalars outside of
  /// printable ASCII are escaped, and a repeated scalar is written once with its count.
  static func of<Value>(_ value: Value) -> String {
    if let data = value as? Data {
      let bytes = data.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")
      return "\(data.count) bytes [\(bytes)\(data.count > 8 ? " …" : "")]"
    }
    if let date = value as? Date {
      return "\(date) (\(date.timeIntervalSinceReferenceDate) s after 2001)"
    }
    guard value is String || value is URL else { return shortened("\(value)") }
    var (parts, literal) = ([String](), "")
    let text = "\(value)"
    guard text.utf8.count < 8_000 else {
      return of(String(text.prefix(150))) + " … " + of(String(text.suffix(20)))
        + " (\(text.utf8.count) bytes)"
    }
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.first {
      let count = scalars.prefix { $0 == scalar }.count
      if count > 8 {
        if !literal.isEmpty { parts.append("\"\(literal)\"") }
        parts.append("\"\(escaped(scalar))\" * \(count)")
        literal = ""
      } else {
        literal += String(repeating: escaped(scalar), count: count)
      }
      scalars = scalars.dropFirst(count)
    }
    if !literal.isEmpty || parts.isEmpty { parts.append("\"\(literal)\"") }
    return shortened(parts.joined(separator: " + "))
  }

  /// Returns a text of at most about 200 characters, by leaving out the middle of a longer one.
  static func shortened(_ text: String, to most: Int = 200) -> String {
    guard text.utf8.count > most, text.count > most else { return text }
    return "\(text.prefix(most * 3 / 4)) … \(text.suffix(most / 8)) (\(text.count) characters)"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String { scalar.escaped(asASCII: true) }
}

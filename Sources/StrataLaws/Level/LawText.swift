import Foundation

/// The text of keys and values in violations, which shows the difference between similar keys.
enum LawText {
  /// Returns a description such as `"e\u{301}"` or `"k" * 300 + "1"`. Unicode scalars outside of
  /// printable ASCII are escaped, and a repeated scalar is written once with its count. Of a value
  /// with very many or very deep parts, it shows only the first ones.
  static func of<Value>(_ value: Value) -> String {
    if let data = value as? Data {
      let bytes = data.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")
      return "\(data.count) bytes [\(bytes)\(data.count > 8 ? " …" : "")]"
    }
    if let date = value as? Date {
      return "\(date) (\(date.timeIntervalSinceReferenceDate) s after 2001)"
    }
    if let text = value as? String { return of(text: text) }
    if let url = value as? URL { return of(text: "\(url)") }
    return shortened(BoundedText.of(value))
  }

  private static func of(text: String) -> String {
    guard text.utf8.count < 8_000 else {
      // Counts scalars, because one character can have thousands of them.
      let (head, tail) = (text.unicodeScalars.prefix(150), text.unicodeScalars.suffix(20))
      return of(text: String(head)) + " … " + of(text: String(tail))
        + " (\(text.utf8.count) bytes)"
    }
    var (parts, literal) = ([String](), "")
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
    let scalars = text.unicodeScalars
    guard text.utf8.count > most, scalars.count > most else { return text }
    let (head, tail) = (scalars.prefix(most * 3 / 4), scalars.suffix(most / 8))
    return "\(String(head)) … \(String(tail)) (\(scalars.count) characters)"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String { scalar.escaped(asASCII: true) }
}

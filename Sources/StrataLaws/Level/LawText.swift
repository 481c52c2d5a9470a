import Foundation

/// The text of keys and values in violations. The text makes the difference between similar keys
/// visible.
enum LawText {
  /// Returns a description such as `"e\u{301}"` or `"k" * 300 + "1"`. The description escapes
  /// Unicode scalars outside of printable ASCII, and writes a repeated scalar once with its count.
  static func of<Value>(_ value: Value) -> String {
    if let data = value as? Data {
      let bytes = data.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")
      return "\(data.count) bytes [\(bytes)\(data.count > 8 ? " …" : "")]"
    }
    guard value is String || value is URL else { return "\(value)" }
    var (parts, literal) = ([String](), "")
    var scalars = Array("\(value)".unicodeScalars)[...]
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
    return parts.joined(separator: " + ")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String { scalar.escaped(asASCII: true) }
}

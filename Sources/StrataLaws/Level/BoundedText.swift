/// The text of a value as Swift prints it, but bounded. A value can be nested very deeply, or refer
/// to itself, so a complete text could overflow the stack or never end.
struct BoundedText {
  private static let deepest = 12
  private var text = ""
  /// The number of parts that may still be written.
  private var left = 200

  static func of(_ value: Any) -> String {
    var bounded = BoundedText()
    bounded.write(value, depth: 0)
    return bounded.text
  }

  private mutating func write(_ value: Any, depth: Int) {
    left -= 1
    let mirror = Mirror(reflecting: value)
    guard let (open, close) = Self.brackets(of: value, mirror) else {
      // The parts of a value with a text of its own are shown as in other messages.
      text += depth == 0 ? "\(value)" : LawText.of(value)
      return
    }
    guard depth < Self.deepest, left > 0 else {
      text += "…"
      return
    }
    text += open
    let isPair = mirror.displayStyle == .dictionary
    if isPair, mirror.children.isEmpty { text += ":" }
    for (number, child) in mirror.children.enumerated() {
      if number > 0 { text += ", " }
      guard left > 0 else {
        text += "…"
        break
      }
      if isPair {
        let pair = Array(Mirror(reflecting: child.value).children.prefix(2))
        guard pair.count == 2 else {  // The type's own mirror has other children.
          text += child.label.map { "\($0): " } ?? ""
          write(child.value, depth: depth + 1)
          continue
        }
        write(pair[0].value, depth: depth + 1)
        text += ": "
        write(pair[1].value, depth: depth + 1)
        continue
      }
      if Self.showsLabels(mirror), let label = child.label, !label.hasPrefix(".") {
        text += "\(label): "
      }
      write(child.value, depth: depth + 1)
    }
    text += close
  }

  /// Returns the text around the parts of a value, or `nil` for a value without parts and for a
  /// value whose type describes itself.
  private static func brackets(of value: Any, _ mirror: Mirror) -> (String, String)? {
    guard let style = mirror.displayStyle else { return nil }
    switch style {
    case .collection, .set, .dictionary: return ("[", "]")
    case .tuple: return ("(", ")")
    case .optional: return mirror.children.isEmpty ? nil : ("Optional(", ")")
    case .struct where !describesItself(value): return ("\(mirror.subjectType)(", ")")
    case .enum where !describesItself(value):
      guard let part = mirror.children.first else { return nil }
      let isTuple = Mirror(reflecting: part.value).displayStyle == .tuple
      return isTuple ? (part.label ?? "", "") : ("\(part.label ?? "")(", ")")
    default: return nil
    }
  }

  /// Whether the labels of the parts belong to the text.
  private static func showsLabels(_ mirror: Mirror) -> Bool {
    mirror.displayStyle == .struct || mirror.displayStyle == .tuple
  }

  private static func describesItself(_ value: Any) -> Bool {
    value is any CustomStringConvertible || value is any CustomDebugStringConvertible
      || value is any TextOutputStreamable
  }
}

import StrataNetwork

extension HTTPSyntax {
  /// Reads a token or a quoted string. Returns `nil` if the text is neither a token nor a quoted
  /// string.
  static func argument(_ text: Substring.UTF8View) -> String? {
    guard text.first == UInt8(ascii: "\"") else {
      let token = String(Substring(text))
      return isToken(token) ? token : nil
    }
    var (value, isEscaped) = ([UInt8](), false)
    var rest = text.dropFirst()
    while let byte = rest.popFirst() {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      } else if byte == UInt8(ascii: "\"") {
        return rest.isEmpty ? String(decoding: value, as: UTF8.self) : nil
      }
      value.append(byte)
    }
    return nil
  }

  /// Whether every quoted string in the text is terminated.
  static func closesQuotations(_ text: String) -> Bool {
    var (isQuoted, isEscaped) = (false, false)
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
    }
    return !isQuoted
  }
}

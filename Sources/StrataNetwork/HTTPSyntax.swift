/// The common grammar of header fields (RFC 9110, section 5.6).
///
/// The functions are plain loops over bytes, because each use of a generic algorithm would add
/// specialized code to every program.
package enum HTTPSyntax {
  /// Whether two names are equal, ignoring the case of ASCII letters.
  package static func equal(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    var others = other.utf8.makeIterator()
    for byte in one.utf8 {
      guard let next = others.next(), byte == next || lower(byte) == lower(next) else {
        return false
      }
    }
    return true
  }

  /// Whether two texts have the same bytes. Entity tags and other opaque values are bytes, but `==`
  /// of `String` would also accept texts with different bytes that are canonically equivalent.
  package static func same(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }

  /// Returns the text without leading or trailing spaces and tabs.
  package static func trimmed(_ text: String) -> String {
    guard isBlank(text.utf8.first) || isBlank(text.utf8.last) else { return text }
    var text = text
    return text.withUTF8 { trimmed($0, 0, $0.count) }
  }

  /// Returns the values joined with commas, or `nil` if there are no values.
  package static func combined(_ values: [String]) -> String? {
    values.count > 1 ? values.joined(separator: ", ") : values.first
  }

  /// Returns the nonempty elements of a comma-separated list, each without leading or trailing
  /// spaces and tabs.
  package static func elements(_ list: String) -> [String] {
    var list = list
    return list.withUTF8 { bytes in
      var (elements, start, isQuoted, isEscaped) = ([String](), 0, false, false)
      for index in 0...bytes.count {
        if index < bytes.count {
          let byte = bytes[index]
          let isSeparator = !isQuoted && byte == UInt8(ascii: ",")
          if !isEscaped, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
          isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
          guard isSeparator else { continue }
        }
        let element = trimmed(bytes, start, index)
        if !element.isEmpty { elements.append(element) }
        start = index + 1
      }
      return elements
    }
  }

  /// Whether the text is a token. Field names and methods must be tokens.
  package static func isToken(_ text: String) -> Bool {
    for byte in text.utf8 where !isTokenByte(byte) { return false }
    return !text.isEmpty
  }

  /// Whether the text is valid as a field value: it contains no NUL, CR, or LF.
  package static func isValue(_ text: String) -> Bool {
    for byte in text.utf8 where byte == 0 || byte == 10 || byte == 13 { return false }
    return true
  }

  /// Whether a byte can be part of a token.
  package static func isTokenByte(_ byte: UInt8) -> Bool {
    // Each constant has one bit for each of 64 ASCII characters.
    let bits: UInt64 = byte < 64 ? 0x03ff_6cfa_0000_0000 : 0x57ff_ffff_c7ff_fffe
    return byte < 128 && bits >> UInt64(byte & 63) & 1 == 1
  }

  private static func trimmed(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> String {
    var (start, end) = (start, end)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8?) -> Bool { byte == 32 || byte == 9 }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 32 : byte
  }
}

import StrataCore

/// Recognizes the text of a URL that needs no change before it's requested. Most URLs are like this,
/// so one loop over the bytes replaces a parser, which would allocate each component.
enum PlainURL {
  /// One bit for each kind of character that a component may contain.
  private static let kinds: [UInt8] = (0..<128).map { byte in
    (URLBytes.isOfHost(byte) ? host : 0) | (URLBytes.isOfPath(byte) ? path : 0)
      | (URLBytes.isOfQuery(byte) ? query : 0)
  }
  private static let (host, path, query): (UInt8, UInt8, UInt8) = (1, 2, 4)

  /// Whether a text is such a URL: `http` or `https` in lower case, a host name or an IPv4 address,
  /// perhaps a port, and then only characters and escapes that RFC 3986 allows.
  static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    kinds.withUnsafeBufferPointer { kinds in
      guard var index = hostStart(text) else { return false }
      let start = index
      while index < text.count, text[index] < 128, kinds[Int(text[index])] & host != 0 {
        index += 1
      }
      guard index > start, skipPort(text, &index) else { return false }
      guard index == text.count || text[index] == slash || text[index] == mark else { return false }
      var kind = path
      while index < text.count {
        let byte = text[index]
        if byte == mark { kind = query }
        if byte == percent {
          guard index + 2 < text.count, isHex(text[index + 1]), isHex(text[index + 2]) else {
            return false
          }
        } else if byte >= 128 || kinds[Int(byte)] & kind == 0 {
          return false
        }
        index += 1
      }
      return true
    }
  }

  private static let (slash, mark, percent) = (
    UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "%")
  )

  /// Returns the index of the host, or `nil` if the text doesn't begin with `http://` or `https://`.
  private static func hostStart(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let scheme: StaticString = "https://"
    guard text.count > 8 else { return nil }
    for index in 0..<4 where text[index] != scheme.utf8Start[index] { return nil }
    let start = text[4] == UInt8(ascii: "s") ? 5 : 4
    for index in 0..<3 where text[start + index] != scheme.utf8Start[5 + index] { return nil }
    return start + 3
  }

  /// Skips a port from 1 to 65535, if there is one. Returns `false` if the port is invalid or empty.
  private static func skipPort(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: ":") else { return true }
    var (port, digits) = (0, 0)
    index += 1
    while index < text.count, digits < 6, text[index] >= 48, text[index] <= 57 {
      (port, digits, index) = (port * 10 + Int(text[index] - 48), digits + 1, index + 1)
    }
    return digits < 6 && port > 0 && port < 65_536
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte | 32)
  }
}

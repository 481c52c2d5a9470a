/// The characters of URLs (RFC 3986, appendix A), and their escapes.
package enum URLBytes {
  package static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool { "!$&'()*+,;=".utf8.contains(byte) }

  package static func isOfScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
  }

  /// Whether a byte can be part of a host name. Host names have no escapes.
  package static func isOfHost(_ byte: UInt8) -> Bool { isUnreserved(byte) || isDelimiter(byte) }

  /// Whether a byte can be part of an IPv6 address and its zone, such as `fe80::1%25eth0`.
  package static func isOfAddress(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
  }

  package static func isOfUser(_ byte: UInt8) -> Bool {
    isOfHost(byte) || byte == UInt8(ascii: ":")
  }

  package static func isOfPath(_ byte: UInt8) -> Bool {
    isOfHost(byte) || ":@/".utf8.contains(byte)
  }

  package static func isOfQuery(_ byte: UInt8) -> Bool {
    isOfPath(byte) || byte == UInt8(ascii: "?")
  }

  /// Escapes the bytes that aren't allowed. Keeps valid escapes, and escapes a percent sign that
  /// doesn't begin one.
  package static func escaped(_ bytes: [UInt8], _ isAllowed: (UInt8) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if isAllowed(byte) || byte == UInt8(ascii: "%") && escape(at: index, in: bytes[...]) != nil {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return result
  }

  /// Replaces each valid escape with its byte.
  package static func unescaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      let byte = bytes[index] == UInt8(ascii: "%") ? escape(at: index, in: bytes[...]) : nil
      result.append(byte ?? bytes[index])
      index += byte == nil ? 1 : 3
    }
    return result
  }

  /// Whether each percent sign begins an escape.
  package static func hasValidEscapes(_ bytes: [UInt8]) -> Bool {
    bytes.indices.allSatisfy {
      bytes[$0] != UInt8(ascii: "%") || escape(at: $0, in: bytes[...]) != nil
    }
  }

  private static func escape(at index: Int, in bytes: ArraySlice<UInt8>) -> UInt8? {
    guard index + 2 < bytes.endIndex, let high = value(bytes[index + 1]),
      let low = value(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    if isDigit(digit) { return digit - 48 }
    return (97...102).contains(digit | 32) ? (digit | 32) - 87 : nil
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }
}

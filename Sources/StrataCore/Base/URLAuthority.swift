import Foundation

/// The user, the host, and the port of a URL as bytes (RFC 3986, section 3.2).
package struct URLAuthority: Equatable, Sendable {
  /// The user name and the password, with their escapes, or `nil` if there is no `@`.
  package var userInfo: [UInt8]?
  /// The host with its escapes, and with the brackets of an IPv6 address.
  package var host: [UInt8]
  /// The text after the colon, or `nil` if there is no colon.
  package var port: [UInt8]?

  package init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = Array(rest[..<at])
      rest = rest[(at + 1)...]
    }
    let bracket = rest.first == UInt8(ascii: "[") ? rest.lastIndex(of: UInt8(ascii: "]")) : nil
    if let colon = rest[(bracket ?? rest.startIndex)...].lastIndex(of: UInt8(ascii: ":")) {
      port = Array(rest[(colon + 1)...])
      rest = rest[..<colon]
    }
    host = Array(rest)
  }

  package var bytes: [UInt8] {
    let user = userInfo.map { URLBytes.escaped($0, URLBytes.isOfUser) + [UInt8(ascii: "@")] }
    return (user ?? []) + host + (port.map { [UInt8(ascii: ":")] + $0 } ?? [])
  }

  /// The user name and the password without escapes. Without a colon, the password is `nil`.
  package var credentials: (user: [UInt8], password: [UInt8]?)? {
    userInfo.map { info in
      guard let colon = info.firstIndex(of: UInt8(ascii: ":")) else {
        return (URLBytes.unescaped(info), nil)
      }
      return (URLBytes.unescaped(info[..<colon]), URLBytes.unescaped(info[(colon + 1)...]))
    }
  }

  /// The reason why the port isn't valid, or `nil` if it's valid or absent. An empty port is valid,
  /// and means the default port.
  package var portFault: String? {
    guard let port, !port.isEmpty else { return nil }
    let isNumber = port.count <= 8 && port.allSatisfy { (48...57).contains($0) }
    let text = String(decoding: port.prefix(20), as: UTF8.self)
    guard isNumber, (1...65_535).contains(Int(text) ?? 0) else {
      return "its port \"\(text)\" isn't from 1 to 65535"
    }
    return nil
  }

  /// The number of the port, or `nil` if the port is absent or invalid.
  package var portNumber: Int? {
    portFault == nil ? port.flatMap { Int(String(decoding: $0, as: UTF8.self)) } : nil
  }

  /// Converts an internationalized host to punycode. Returns the reason why the host isn't valid,
  /// or `nil` if it's valid.
  package mutating func checkHost() -> String? {
    guard !host.isEmpty else { return "it has no host" }
    let name = RawText.readable(host.withUnsafeBytes(RawText.text))
    if host[0] == UInt8(ascii: "[") {
      let inner = host.dropFirst().dropLast()
      let isValid =
        host.count > 3 && host.last == UInt8(ascii: "]")
        && inner.contains(UInt8(ascii: ":")) && inner.allSatisfy(URLBytes.isOfAddress)
      return isValid ? nil : "its host \"\(name.prefix(80))\" isn't an IPv6 address in brackets"
    }
    guard !host.contains(UInt8(ascii: ":")) else {
      return "an IPv6 host needs brackets, as in http://[::1]:80/"
    }
    if host.allSatisfy(URLBytes.isOfHost) { return nil }
    guard let ascii = Self.punycode(URLBytes.unescaped(host)) else {
      return "its host \"\(name.prefix(80))\" isn't a valid host name; "
        + "write an internationalized name in punycode, such as xn--bcher-kva.example"
    }
    host = ascii
    return nil
  }

  /// Converts a name to punycode. Returns `nil` if the bytes aren't an internationalized name, or
  /// if this system can't convert it.
  private static func punycode(_ name: [UInt8]) -> [UInt8]? {
    guard name.contains(where: { $0 >= 0x80 }),
      name.allSatisfy({ $0 >= 0x80 || URLBytes.isOfHost($0) }),
      let text = String(validating: name, as: UTF8.self),
      let url = URL(string: "http://\(text)/"),
      let ascii = URLReference(url).authority?.host, ascii.allSatisfy(URLBytes.isOfHost)
    else { return nil }
    return ascii
  }
}

import Foundation

/// A URL or a relative reference as bytes (RFC 3986, section 4.1).
///
/// `URL(string:)` escapes a whole component again if one character in it isn't allowed. This type
/// escapes only the bytes that aren't allowed, and keeps valid escapes as they are.
package struct URLReference: Equatable, Sendable {
  package var scheme: String?
  package var authority: URLAuthority?
  package var path: [UInt8]
  package var query: [UInt8]?
  package var fragment: [UInt8]?

  /// Splits a text from a peer. See `RawText.text(_:)`. Any text is a reference, but not every
  /// reference is a valid URL.
  package init(_ text: String) {
    var rest = RawText.bytes(of: text)[...]
    fragment = Self.removeSuffix(of: &rest, from: UInt8(ascii: "#"))
    query = Self.removeSuffix(of: &rest, from: UInt8(ascii: "?"))
    if let colon = rest.firstIndex(where: { !URLBytes.isOfScheme($0) }), colon > 0,
      rest[colon] == UInt8(ascii: ":"), URLBytes.isLetter(rest[0])
    {
      scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = URLAuthority(rest[..<end])
      rest = rest[end...]
    }
    path = Array(rest)
  }

  /// Splits a URL, whose text is ASCII. Internationalized hosts are in punycode.
  package init(_ url: URL) { self.init(url.absoluteURL.absoluteString) }

  /// Removes the given byte and all later bytes, and returns the later bytes.
  private static func removeSuffix(of rest: inout ArraySlice<UInt8>, from byte: UInt8) -> [UInt8]? {
    guard let index = rest.firstIndex(of: byte) else { return nil }
    defer { rest = rest[..<index] }
    return Array(rest[(index + 1)...])
  }

  /// Returns the target of a reference that is relative to a base (RFC 3986, section 5.2.2).
  package func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme != nil || authority != nil {
      target.scheme = scheme ?? base.scheme
      target.path = Self.withoutDotSegments(path)
      return target
    }
    (target.scheme, target.authority) = (base.scheme, base.authority)
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path[0] == UInt8(ascii: "/") {
      target.path = Self.withoutDotSegments(path)
    } else {
      let folder = base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? [47]
      target.path = Self.withoutDotSegments(folder + path)
    }
    return target
  }

  /// Removes the segments `.` and `..` (RFC 3986, section 5.2.4).
  private static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual("..".utf8) {
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append([]) }
      } else if segment.elementsEqual(".".utf8) {
        if isLast { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return Array(kept.joined(separator: "/".utf8))
  }

  /// The bytes of the reference. Bytes that RFC 3986 doesn't allow are escaped.
  package var text: String {
    var bytes: [UInt8] = []
    if let scheme { bytes += Array("\(scheme):".utf8) }
    if let authority { bytes += Array("//".utf8) + authority.bytes }
    bytes += URLBytes.escaped(path, URLBytes.isOfPath)
    if let query { bytes += [UInt8(ascii: "?")] + URLBytes.escaped(query, URLBytes.isOfQuery) }
    if let fragment {
      bytes += [UInt8(ascii: "#")] + URLBytes.escaped(fragment, URLBytes.isOfQuery)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The path and the query, as they appear in a request. An empty path becomes `/`.
  package var target: String {
    var target = self
    (target.scheme, target.authority, target.fragment) = (nil, nil, nil)
    if path.isEmpty { target.path = [UInt8(ascii: "/")] }
    return target.text
  }

  /// The URL, or `nil` if the reference isn't a valid URL. Internationalized hosts are in punycode.
  package var url: URL? {
    var reference = self
    if reference.authority?.host.isEmpty == false { _ = reference.authority?.checkHost() }
    return URL(string: reference.text, encodingInvalidCharacters: false)
  }
}

import Foundation
import StrataNetwork

/// The names under which responses are stored.
enum StoreKey {
  /// Returns the target URI (RFC 9111, section 2): with scheme and host in lower case, and without
  /// default port, credentials, and fragment.
  static func text(_ url: URL) -> String {
    let text = url.absoluteString
    return isNormal(text.utf8) ? text : normalized(url)
  }

  /// Whether a URL's text is already in normal form, so it needn't be parsed.
  ///
  /// That form has the scheme `http` or `https`, a host name in lower case, an optional port, and a
  /// path.
  static func isNormal(_ text: String.UTF8View) -> Bool {
    let scheme = ["http://", "https://"].first { text.starts(with: $0.utf8) }
    guard let scheme, !text.contains(UInt8(ascii: "#")) else { return false }
    let host = text.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    guard text.count > scheme.utf8.count + host.count else { return false }
    let parts = host.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty, parts.count <= 2,
      name.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 })
    else { return false }
    guard let port = parts.dropFirst().first else { return true }
    return port.allSatisfy { (48...57).contains($0) } && port.first.map { $0 != 48 } == true
      && !["80", "443"].contains(String(Substring(port)))
  }

  static func normalized(_ url: URL) -> String {
    guard var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) else {
      return url.absoluteString
    }
    parts.scheme = parts.scheme?.lowercased()
    parts.percentEncodedHost = parts.percentEncodedHost?.lowercased()
    if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
    (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    return parts.string ?? url.absoluteString
  }

  /// Returns the name of a URL's record. But a shared cache uses other names, because it must not
  /// serve what a private cache has stored. Its names contain a space, which no URL does.
  static func place(_ key: String, isShared: Bool) -> String { isShared ? "shared \(key)" : key }

  /// Returns the name of the list of a URL's users.
  static func readers(_ place: String) -> String { "\(place)\nreaders" }

  /// Returns the name under which the responses of a user are stored. The name contains the digests
  /// in full length, because a collision would show one user the responses of another.
  static func user(_ place: String, _ hidden: [SelectingField]) -> String {
    let fields = hidden.map { "\($0.name):\($0.value ?? "")" }
    return "\(place)\nuser \(fields.joined(separator: " "))"
  }

  /// Returns the name under which a variant is stored: the target URI, and a checksum of the
  /// selecting fields. The record also contains these fields, so a collision causes only a miss.
  static func variant(_ key: String, _ fields: [SelectingField]) -> String {
    let text = fields.map { "\($0.name):\($0.value.map { "=\($0)" } ?? "")" }
    let bytes = Array(text.joined(separator: "\n").utf8)
    let sums = [0, 1].map { seed in
      bytes.withUnsafeBytes { String(Checksum.of($0, seed: seed), radix: 16) }
    }
    return "\(key)\n\(sums.joined(separator: "-"))"
  }
}

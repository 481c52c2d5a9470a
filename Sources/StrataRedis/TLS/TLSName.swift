import Foundation
import StrataCore

/// The name that a server's certificate must contain.
enum TLSName: Equatable {
  /// A host name in ASCII, without a dot at its end. This name is sent to the server, so that the
  /// server can choose a certificate for it. An IP address isn't sent.
  case host(String)
  /// An IP address.
  case address(String)

  /// - Parameters:
  ///   - name: The name from the settings, or `nil` for the host of the server's address.
  ///   - host: The host of the server's address, as `RedisAddress` stores it.
  init(_ name: String?, orHost host: String) throws(RedisError) {
    guard let name else {
      self = Self.parsed(host)
      return
    }
    let isAddress = Self.isAddress(name)
    let text = isAddress && name.contains(":") ? "[\(name)]" : name
    guard let address = try? RedisAddress("redis://" + text), address.password == nil,
      case .tcp(let host, 6379) = address.endpoint, !name.hasSuffix(":6379"), !name.contains("/")
    else {
      throw .tls("serverName isn't a host name or an IP address. Correct serverName")
    }
    self = Self.parsed(host)
  }

  var text: String {
    switch self {
    case .host(let text), .address(let text): text
    }
  }

  private static func parsed(_ host: String) -> TLSName {
    if isAddress(host) {
      // The zone of a link-local address, as in `fe80::1%eth0`, isn't part of a certificate.
      return .address(String(host.prefix { $0 != "%" }))
    }
    return .host(host.hasSuffix(".") ? String(host.dropLast()) : host)
  }

  private static func isAddress(_ text: String) -> Bool {
    var bytes = in6_addr()
    let text = String(text.prefix { $0 != "%" })
    return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
  }
}

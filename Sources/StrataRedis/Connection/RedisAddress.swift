import Foundation

/// The address of a server, with the credentials and the database.
struct RedisAddress: Sendable {
  enum Endpoint: Hashable, Sendable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// The address without credentials.
    var description: String {
      switch self {
      case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      case .unix(let path): path
      }
    }
  }

  var endpoint: Endpoint
  var user: String?
  var password: Secret?
  var database = 0
  private(set) var usesTLS = false

  /// Parses `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?database=NUMBER`. The
  /// scheme `rediss` selects TLS.
  ///
  /// Errors don't quote the address, because an address may contain a password.
  init(_ text: String) throws(RedisError) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme else {
      throw .invalidAddress("it isn't a URL")
    }
    user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
    password = parts.password.map(Secret.init)
    switch scheme {
    case "redis", "valkey", "rediss", "valkeys":
      usesTLS = ["rediss", "valkeys"].contains(scheme)
      if usesTLS { try TLSTunnel.requireSupport() }
      guard let host = parts.host, !host.isEmpty else { throw .invalidAddress("it has no host") }
      guard let port = UInt16(exactly: parts.port ?? 6379), port > 0 else {
        throw .invalidAddress("its port isn't from 1 to 65535")
      }
      let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
      endpoint = .tcp(host: name, port: port)
      database = try Self.database(parts.path.split(separator: "/").joined(separator: "/"))
    case "unix":
      guard parts.path.hasPrefix("/"), parts.path.utf8.count < 104 else {
        throw .invalidAddress("its path isn't absolute, or is longer than 103 bytes")
      }
      endpoint = .unix(path: parts.path)
      database = try Self.database(parts.queryItems?.first { $0.name == "database" }?.value ?? "")
    default: throw .invalidAddress("its scheme is neither redis nor unix")
    }
  }

  /// Parses the addresses of servers in one cluster.
  static func cluster(_ texts: [String]) throws(RedisError) -> [RedisAddress] {
    var addresses: [RedisAddress] = []
    for text in texts { addresses.append(try RedisAddress(text)) }
    if addresses.isEmpty { throw .invalidAddress("a cluster needs at least one address") }
    guard addresses.allSatisfy({ $0.database == 0 }) else {
      throw .invalidAddress("a cluster has only database 0")
    }
    return addresses
  }

  private static func database(_ text: String) throws(RedisError) -> Int {
    if text.isEmpty { return 0 }
    guard let number = Int(text), number >= 0 else {
      throw .invalidAddress("its database isn't a number")
    }
    return number
  }
}

/// A string that `print` and `dump` don't show.
struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
  private let text: @Sendable () -> String

  init(_ text: String) { self.text = { text } }

  var revealed: String { text() }
  var description: String { "secret" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

import Foundation
import StrataCore

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

  init(
    _ endpoint: Endpoint, user: String?, password: String?, database: Int, usesTLS: Bool
  ) {
    (self.endpoint, self.user, self.database) = (endpoint, user, database)
    (self.password, self.usesTLS) = (password.map { Secret($0) }, usesTLS)
  }

  /// Parses an address, and the settings of TLS for it.
  init(_ text: String, tls: RedisTLS?) throws(RedisError) {
    try self.init(text)
    guard tls != nil else { return }
    if case .unix = endpoint {
      throw .invalidAddress("TLS needs a host, and not the path of a socket")
    }
    usesTLS = true
  }

  /// Parses `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?database=NUMBER`. The
  /// scheme `rediss` selects TLS, and the query `?database=NUMBER` or `?db=NUMBER` also selects a
  /// database.
  ///
  /// Errors don't quote the address, because an address may contain a password.
  init(_ text: String) throws(RedisError) {
    let parts = URLReference(text)
    guard let scheme = parts.scheme, let authority = parts.authority else {
      throw .invalidAddress("it doesn't begin with redis:// or unix://")
    }
    switch scheme {
    case "redis", "valkey", "rediss", "valkeys":
      usesTLS = ["rediss", "valkeys"].contains(scheme)
      try RedisAddressText.checkSeparators(of: parts, authority)
      endpoint = try RedisAddressText.endpoint(of: authority)
      database = try RedisAddressText.database(of: parts, hasPath: true)
    case "unix":
      guard authority.host.isEmpty, authority.port == nil else {
        throw .invalidAddress("its path doesn't follow three slashes, as in unix:///run/redis.sock")
      }
      endpoint = .unix(path: try RedisAddressText.path(of: parts))
      database = try RedisAddressText.database(of: parts, hasPath: false)
    default: throw .invalidAddress("its scheme is neither redis nor unix")
    }
    (user, password) = try RedisAddressText.credentials(of: authority)
  }

  /// Parses the addresses of servers in one cluster.
  static func cluster(
    _ texts: [String], tls: RedisTLS?, of kind: String = "cluster"
  ) throws(RedisError) -> [RedisAddress] {
    var addresses: [RedisAddress] = []
    for text in texts { addresses.append(try RedisAddress(text, tls: tls)) }
    if addresses.isEmpty { throw .invalidAddress("a \(kind) needs at least one address") }
    guard addresses.allSatisfy({ $0.database == 0 }) else {
      throw .invalidAddress("a \(kind) has only database 0")
    }
    guard addresses.allSatisfy({ $0.usesTLS == addresses[0].usesTLS }) else {
      throw .invalidAddress("only some addresses of the \(kind) use TLS; write rediss in all")
    }
    return addresses
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

import Foundation
import Strata

/// A Redis or Valkey server, which the levels of many machines share.
///
/// Copies share one connection. The first request makes it, and a lost connection is made
/// again.
///
///     let redis = RedisServer("redis://cache.internal:6379")
///     let pages: Cache<URL, String> =
///       .memory() + \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .utf8
///
/// Text of the server, errors, and plans don't contain the user or the password. A request
/// fails after its deadline. It fails immediately while the server can't be reached or too many
/// requests wait.
public struct RedisServer: Sendable, CustomStringConvertible {
  let connection: RedisConnection

  /// Creates a server. The first request connects to it.
  ///
  /// - Parameters:
  ///   - address: `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?database=NUMBER`.
  ///     Only the host or the path is needed. The default port is 6379. If the address is invalid,
  ///     every request fails with ``RedisError/invalidAddress(_:)``.
  ///   - deadline: The longest time of a request, and of an attempt to connect. The default is one
  ///     second.
  ///   - queueLimit: The maximum number of requests that wait. The default is 10,000. Their values
  ///     take at most 64 MiB more than one value.
  ///   - clientName: The name of the connection in the server's list of clients.
  public init(
    _ address: String, deadline: Duration = .seconds(1), queueLimit: Int = 10_000,
    clientName: String = "strata"
  ) {
    var settings = RedisSettings(
      address: Result { () throws(RedisError) in try RedisAddress(address) })
    settings.deadline = deadline
    settings.limits.requests = max(1, queueLimit)
    settings.clientName = clientName
    connection = RedisConnection(settings)
  }

  /// The address without user and password.
  public var description: String {
    switch connection.settings.address {
    case .success(let address): address.endpoint.description
    case .failure: "invalid address"
    }
  }
}

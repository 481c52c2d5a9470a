import StrataCore

/// A change of the state of the connection to a server.
///
/// The description is one line for a log:
///
///     let redis = try RedisServer("redis://cache.internal:6379", onEvent: { print($0) })
///     // redis cache.internal:6379: connected to version 8.0.2
public struct RedisEvent: Sendable, Equatable, CustomStringConvertible {
  /// A change of state. When an attempt to connect fails for the same reason as the one before,
  /// that isn't a change.
  public enum Change: Sendable, Equatable {
    /// The client has connected. The version is `nil` if the server doesn't report it.
    case connected(version: String?)
    /// The server has begun to report writes, so caches with `following` can store values.
    case following
    /// An open connection has ended, and the caches with `following` were informed. When requests
    /// or such caches are waiting, the client connects again immediately. Otherwise, it connects
    /// with the next request.
    case disconnected(RedisError)
    /// An attempt to connect has failed. Until one succeeds, requests fail with this error.
    case unreachable(RedisError)
    /// The program has closed or released the client.
    case closed
  }

  /// The address of the server, without the user name and the password.
  public let server: String
  /// The change.
  public let change: Change

  /// A line for a log.
  public var description: String { "redis \(server): \(text)" }

  private var text: String {
    switch change {
    case .connected(let version): version.map { "connected to version \($0)" } ?? "connected"
    case .following: "following the writes of all clients"
    case .disconnected(let error): "disconnected, because \(error)"
    case .unreachable(let error): "unreachable, because \(error)"
    case .closed: "closed"
    }
  }
}

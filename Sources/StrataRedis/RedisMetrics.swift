/// What a client is doing, in numbers, for a page of metrics. For a cluster, each number is a sum
/// over the servers that the client knows.
public struct RedisMetrics: Sendable, Equatable {
  /// The number of open connections.
  public var connections = 0
  /// The number of successful attempts to connect since the client was created. For each server,
  /// the first connection counts, and each one that replaces a lost connection.
  public var connects = 0
  /// The number of attempts to connect that have failed.
  public var failedConnects = 0
  /// The number of requests that wait to be sent. A request for several keys counts as several.
  public var waiting = 0
  /// The number of requests that have been sent, but not answered yet.
  public var inFlight = 0
  /// The approximate size in bytes of the requests that wait or are in flight.
  public var bytes = 0
  /// Whether every server reports the writes of all clients. Caches with `following` store values
  /// only while this is `true`.
  public var isFollowing = false

  static func + (one: Self, other: Self) -> Self {
    RedisMetrics(
      connections: one.connections + other.connections, connects: one.connects + other.connects,
      failedConnects: one.failedConnects + other.failedConnects,
      waiting: one.waiting + other.waiting, inFlight: one.inFlight + other.inFlight,
      bytes: one.bytes + other.bytes, isFollowing: one.isFollowing && other.isFollowing)
  }
}

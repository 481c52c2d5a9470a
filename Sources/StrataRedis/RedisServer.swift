import Foundation
import StrataCore

/// A Redis or Valkey server, or a cluster of servers. Levels on many machines can share one server.
///
/// Copies of this value share one connection to each server. The first request opens the
/// connection, and the client reopens a lost connection.
///
///     let redis = try RedisServer("redis://cache.internal:6379")
///     let pages: Cache<URL, String> =
///       .memory() + \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .utf8
///
/// Descriptions, errors, and plans never contain the user name or the password. A request fails
/// when its deadline passes. New requests fail immediately while the server can't be reached, or
/// while too many requests are waiting or in flight.
public struct RedisServer: Sendable, CustomStringConvertible {
  let client: any RedisClient

  /// Creates a client for a single server. The first request connects to the server.
  ///
  /// - Parameters:
  ///   - address: `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?database=NUMBER`.
  ///     Only the host is required. For `unix`, only the path is required. The query
  ///     `?database=NUMBER` or `?db=NUMBER` also selects a database, and any other query is invalid.
  ///     Escape `/`, `?`, `#`, `@`, and `%` in the password, as in `%2F`. The default port is 6379.
  ///     Use `rediss` instead of `redis` to connect with TLS.
  ///   - tls: The settings of TLS. With settings, the client always uses TLS. Without settings, it
  ///     uses TLS if the address begins with `rediss`, and trusts the system's authorities.
  ///   - deadline: The maximum duration of a request, and of an attempt to connect. The default is
  ///     one second.
  ///   - queueLimit: The maximum number of requests that are waiting or in flight. The default is
  ///     10,000. New requests also fail while the waiting requests and the requests in flight take
  ///     more than 64 MiB in total.
  ///   - persistsWrites: Whether the server has stored a write durably before it replies, as with
  ///     `appendfsync always`. By default, it hasn't, so a restart of the server can bring back old
  ///     values. The level therefore drops all of its values when the server has restarted.
  ///   - clientName: The name of the connection. The server shows this name in its list of clients.
  ///   - keepalive: The duration of silence after which the client sends a request, so a balancer
  ///     or a firewall doesn't drop an idle connection. The default is 15 seconds.
  ///   - longestDelay: The longest delay before the client tries again to connect. The delay begins
  ///     at 50 ms and doubles with each failed attempt. The default is five seconds.
  ///   - onEvent: Receives each change of the state of a connection, on the connection's thread, so
  ///     it mustn't block. The description of an event is one line for a log. See ``RedisEvent``.
  /// - Throws: ``RedisError/invalidAddress(_:)`` if the address can't be an address.
  public init(
    _ address: String, tls: RedisTLS? = nil, deadline: Duration = .seconds(1),
    queueLimit: Int = 10_000, persistsWrites: Bool = false, clientName: String = "strata",
    keepalive: Duration = .seconds(15), longestDelay: Duration = .seconds(5),
    onEvent: (@Sendable (RedisEvent) -> Void)? = nil
  ) throws(RedisError) {
    var settings = RedisSettings(
      address: .success(try RedisAddress(address, tls: tls)), tls: tls,
      deadline, queueLimit, clientName)
    settings.isPersistent = persistsWrites
    (settings.keepalive, settings.longestDelay) = (keepalive, longestDelay)
    settings.onEvent = onEvent
    client = RedisConnection(settings)
  }

  /// Creates a client for a cluster of servers. The first request finds all servers of the cluster.
  ///
  /// Each key belongs to one slot, and each slot to one server. So the keys of a level are spread
  /// over all servers, unless the prefix has a hash tag such as `{articles}:`. Nevertheless, a
  /// `clear` takes effect everywhere at the same time: it replaces the epoch of the prefix, a
  /// number that every get reads along with its record. All laws that hold for a single server also
  /// hold for a cluster. But while the server that stores the epoch can't be reached, every `get`
  /// and `clear` of the level fails.
  ///
  /// When a primary fails, writes that its replicas haven't received might be lost. Then a get
  /// might return the key's earlier value.
  ///
  ///     let redis = try RedisServer(cluster: ["redis://a.internal:7000", "redis://b.internal:7000"])
  ///
  /// - Parameters:
  ///   - addresses: The addresses of one or more servers of the cluster. Connections to all servers
  ///     use the user name and the password of the first address.
  ///   - tls: The settings of TLS for all servers. With settings, the client always uses TLS.
  ///     Without settings, it uses TLS if the addresses begin with `rediss`. If the servers
  ///     announce IP addresses, pass a ``RedisTLS/serverName`` that their certificates contain.
  ///   - readsReplicas: Whether gets can read from replicas. If `true`, a get might return an old
  ///     value until the replica has received the newer value. A get from a replica never returns a
  ///     cleared value. The default is `false`.
  ///   - deadline: The maximum duration of a request, and of an attempt to connect. The default is
  ///     one second. A request keeps its deadline when the client sends it again to another server.
  ///   - queueLimit: The maximum number of requests that are waiting or in flight, for each server.
  ///     The default is 10,000.
  ///   - persistsWrites: Whether a server has stored a write durably before it replies, as with
  ///     `appendfsync always`. By default, it hasn't, so a restart of the server can bring back old
  ///     values. The level therefore drops all of its values when one of the servers has restarted.
  ///   - clientName: The name of each connection. Each server shows this name in its list of
  ///     clients.
  ///   - keepalive: The duration of silence after which the client sends a request, so a balancer
  ///     or a firewall doesn't drop an idle connection. The default is 15 seconds.
  ///   - longestDelay: The longest delay before the client tries again to connect. The delay begins
  ///     at 50 ms and doubles with each failed attempt. The default is five seconds.
  ///   - onEvent: Receives each change of the state of a connection, on the connection's thread, so
  ///     it mustn't block. The description of an event is one line for a log. See ``RedisEvent``.
  /// - Throws: ``RedisError/invalidAddress(_:)`` if an address can't be an address of a cluster.
  public init(
    cluster addresses: [String], tls: RedisTLS? = nil, readsReplicas: Bool = false,
    deadline: Duration = .seconds(1), queueLimit: Int = 10_000, persistsWrites: Bool = false,
    clientName: String = "strata", keepalive: Duration = .seconds(15),
    longestDelay: Duration = .seconds(5), onEvent: (@Sendable (RedisEvent) -> Void)? = nil
  ) throws(RedisError) {
    let seeds = try RedisAddress.cluster(addresses, tls: tls)
    var settings = RedisSettings(
      address: .success(seeds[0]), tls: tls, deadline, queueLimit, clientName)
    settings.isPersistent = persistsWrites
    (settings.keepalive, settings.longestDelay) = (keepalive, longestDelay)
    settings.onEvent = onEvent
    client = RedisCluster(
      settings, seeds: seeds.map(\.endpoint), readsReplicas: readsReplicas)
  }

  /// The address without the user name and the password. For a cluster, commas separate the
  /// addresses.
  public var description: String { client.description }
}

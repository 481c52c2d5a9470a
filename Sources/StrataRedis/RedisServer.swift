import Foundation
import StrataCore

/// A Redis or Valkey server, or a cluster of servers. Levels on many machines can share one server.
///
/// Copies of this value share one connection to each server. The client connects with the first
/// request, and reopens a lost connection.
///
///     let redis = try RedisServer("redis://cache.internal:6379")
///     let pages: Cache<URL, String> =
///       .memory() + \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .utf8
///
/// A request fails when its deadline passes. It fails immediately while the server can't be
/// reached, or while too many requests are waiting or in flight. Descriptions, errors, and plans
/// never contain the user name or the password.
public struct RedisServer: Sendable, CustomStringConvertible {
  let client: any RedisClient

  /// Creates a client for a single server. The first request connects to the server.
  ///
  /// - Parameters:
  ///   - address: `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?database=NUMBER`.
  ///     Only the host is required, or only the path for `unix`. The query `?database=NUMBER` or
  ///     `?db=NUMBER` also selects a database, and any other query is invalid. Escape `/`, `?`,
  ///     `#`, `@`, and `%` in the password, as in `%2F`. The default port is 6379. To connect with
  ///     TLS, write `rediss` instead of `redis`.
  ///   - tls: The settings of TLS. If you pass settings, the client always uses TLS. If you don't,
  ///     it uses TLS if the address begins with `rediss`, and trusts the system's authorities.
  ///   - deadline: The maximum duration of a request, and of an attempt to connect. The default is
  ///     one second.
  ///   - queueLimit: The maximum number of requests that are waiting or in flight. The default is
  ///     10,000. New requests also fail while these requests take more than 64 MiB in total.
  ///   - persistsWrites: Whether the server stores each write durably before it replies, as with
  ///     `appendfsync always`. The default is `false`: then a restart of the server could bring
  ///     back old values, so the level drops all its values.
  ///   - clientName: The name of the connection. The server shows this name in its list of clients.
  ///   - keepalive: The duration of silence after which the client sends a request, so a balancer
  ///     or a firewall doesn't drop an idle connection. The default is 15 seconds.
  ///   - longestDelay: The longest delay before the client tries again to connect. The delay begins
  ///     at 50 ms and doubles with each failed attempt. The default is five seconds.
  ///   - onEvent: Receives each change of the state of a connection, on the connection's thread, so
  ///     it mustn't block. The description of an event is one line for a log. See ``RedisEvent``.
  /// - Throws: ``RedisError/invalidAddress(_:)`` if the address is invalid.
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
  /// over all servers, unless the prefix has a hash tag such as `{articles}:`. Still, a `clear`
  /// takes effect on all servers at the same time. The `clear` replaces the epoch of the prefix, a
  /// number that every get reads along with its record. So a cluster obeys all laws of a single
  /// server. But while the client can't reach the server that stores the epoch, every `get` and
  /// `clear` of the level fails.
  ///
  /// A primary that fails can lose writes that its replicas haven't received. Then a get might
  /// return the earlier value of such a key.
  ///
  ///     let redis = try RedisServer(cluster: ["redis://a.internal:7000", "redis://b.internal:7000"])
  ///
  /// - Parameters:
  ///   - addresses: The addresses of one or more servers of the cluster. The first request tries
  ///     them in turn, and they share its deadline, so a silent one doesn't make it fail.
  ///     Connections to all servers use the user name and the password of the first address.
  ///   - tls: The settings of TLS for all servers. If you pass settings, the client always uses
  ///     TLS. If you don't, it uses TLS if the addresses begin with `rediss`. If the servers
  ///     announce IP addresses, pass a ``RedisTLS/serverName`` that their certificates contain.
  ///   - readsReplicas: Whether gets may read from replicas. The default is `false`. When it's
  ///     `true`, a get might return an old value until the replica has received the newer one, but
  ///     never a cleared value.
  ///   - deadline: The maximum duration of a request, and of an attempt to connect. The default is
  ///     one second. If the client sends a request again to another server, its deadline stays the
  ///     same.
  ///   - queueLimit: The maximum number of requests that are waiting or in flight, for each server.
  ///     The default is 10,000.
  ///   - persistsWrites: Whether the servers store each write durably before they reply, as with
  ///     `appendfsync always`. The default is `false`: then a restart of one server could bring
  ///     back old values, so the level drops all its values.
  ///   - clientName: The name of each connection. Each server shows this name in its list of
  ///     clients.
  ///   - keepalive: The duration of silence after which the client sends a request, so a balancer
  ///     or a firewall doesn't drop an idle connection. The default is 15 seconds.
  ///   - longestDelay: The longest delay before the client tries again to connect. The delay begins
  ///     at 50 ms and doubles with each failed attempt. The default is five seconds.
  ///   - onEvent: Receives each change of the state of a connection, on the connection's thread, so
  ///     it mustn't block. The description of an event is one line for a log. See ``RedisEvent``.
  /// - Throws: ``RedisError/invalidAddress(_:)`` if an address isn't valid in a cluster.
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

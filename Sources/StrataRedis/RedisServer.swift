import Foundation
import Strata

/// A Redis or Valkey server, or a cluster of servers. The levels of many machines share it.
///
/// Copies share one connection to each server. The first request makes it, and a lost connection is
/// made again.
///
///     let redis = RedisServer("redis://cache.internal:6379")
///     let pages: Cache<URL, String> =
///       .memory() + \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .utf8
///
/// The text of a server, errors, and plans don't contain the user or the password. A request fails
/// after its deadline. It fails immediately while the server can't be reached or too many requests
/// wait.
public struct RedisServer: Sendable, CustomStringConvertible {
  let client: any RedisClient

  /// Creates a server. The first request connects to it.
  ///
  /// - Parameters:
  ///   - address: `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `unix:///PATH?database=NUMBER`.
  ///     Only the host or the path is needed. The default port is 6379. On Apple's platforms,
  ///     `rediss` in place of `redis` connects with TLS. If the address is invalid, every request
  ///     fails with ``RedisError/invalidAddress(_:)``.
  ///   - deadline: The longest time of a request, and of an attempt to connect. The default is one
  ///     second.
  ///   - queueLimit: The maximum number of requests that wait. The default is 10,000. The values of
  ///     all waiting requests take at most 64 MiB more than one value.
  ///   - clientName: The name of the connection in the server's list of clients.
  public init(
    _ address: String, deadline: Duration = .seconds(1), queueLimit: Int = 10_000,
    clientName: String = "strata"
  ) {
    client = RedisConnection(
      RedisSettings(
        address: Result { () throws(RedisError) in try RedisAddress(address) }, deadline,
        queueLimit, clientName))
  }

  /// Creates a client of a cluster. The first request finds the other servers.
  ///
  /// Each key belongs to one slot, and each slot to one server. The keys of a level spread over all
  /// slots, unless the prefix has a hash tag such as `{articles}:`. The epoch of a prefix has one
  /// slot, and each get reads it too. So all laws hold as on one server. While the server of that
  /// slot can't be reached, the level fails for the whole prefix.
  ///
  /// A primary that fails may lose the writes that its replicas haven't received. The older values
  /// then return.
  ///
  ///     let redis = RedisServer(cluster: ["redis://a.internal:7000", "redis://b.internal:7000"])
  ///
  /// - Parameters:
  ///   - addresses: Some servers of the cluster, at least one. All servers have the user and the
  ///     password of the first address.
  ///   - readsReplicas: Whether replicas answer gets. Then a get may return a value that was
  ///     replaced, until its replica has received the write. A clear is always exact. The default
  ///     is `false`.
  ///   - deadline: The longest time of a request, and of an attempt to connect. The default is one
  ///     second. A request that is sent again to another server has the same deadline.
  ///   - queueLimit: The maximum number of requests that wait for each server. The default is
  ///     10,000.
  ///   - clientName: The name of the connections in each server's list of clients.
  public init(
    cluster addresses: [String], readsReplicas: Bool = false, deadline: Duration = .seconds(1),
    queueLimit: Int = 10_000, clientName: String = "strata"
  ) {
    let seeds = Result { () throws(RedisError) in try RedisAddress.cluster(addresses) }
    client = RedisCluster(
      RedisSettings(address: seeds.map { $0[0] }, deadline, queueLimit, clientName),
      seeds: ((try? seeds.get()) ?? []).map(\.endpoint), readsReplicas: readsReplicas)
  }

  /// The address without user and password. The addresses of a cluster have commas between them.
  public var description: String { client.description }
}

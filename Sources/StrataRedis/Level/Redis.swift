import Foundation
import StrataCore

extension Cache where Key == String, Value == Data {
  /// Returns a Redis or Valkey level that stores bytes under string keys.
  ///
  /// All processes with the same server and prefix share it. Once a `set`, `remove`, or `clear` has
  /// settled, every later `get` sees its effect, on every machine.
  ///
  /// Two things can hide a value. The server may evict any record at any time. And after a failed
  /// write, the key misses until the client has removed the old value from the server. Damage
  /// doesn't go unnoticed: each record has a checksum of its key and its value, so a get of a
  /// damaged record fails.
  ///
  ///     let redis = try RedisServer("redis://cache.internal:6379")
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .utf8
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - prefix: The prefix of all keys of this level on the server. The prefix must not begin
  ///     with the prefix of another level.
  ///   - valueLimit: The maximum size of a value in bytes. The default is 8 MiB.
  ///   - patience: The maximum time that a get of a sum waits while another process loads the
  ///     value. By default, it's `nil`: gets don't wait, and each process loads the value itself.
  /// - Returns: A cache that uses the server. The error of a failed operation is a ``RedisError``,
  ///   or `CacheError.timedOut` if the request's deadline has passed. A memory warning has no
  ///   effect.
  /// - Complexity: Each operation sends one request, except a get of a sum that needs a lease,
  ///   which sends several. Waiting requests are sent together, and up to 128 adjacent gets share
  ///   one `MGET`. The connection's thread delivers the values.
  /// - Law: After a `set` has settled, a get returns the stored value or misses. `RedisLevelLaws`
  ///   checks `level.reading`, `level.linearizability`, and the other laws of `Laws.level`.
  public static func redis(
    _ server: RedisServer, prefix: String, valueLimit: Int = 8 << 20,
    waitingForLoads patience: Duration? = nil
  ) -> Cache {
    redis(server, prefix, valueLimit, patience, .bytes)
  }
}

extension Cache where Key == String, Value == Stamped<Data> {
  /// Returns a Redis or Valkey level that stores bytes with a creation time and a deadline.
  ///
  /// This overload is for values of the type `Stamped<Data>`. Such a value keeps its age when
  /// another machine back-fills it, and the server removes its record when its deadline passes.
  /// Times are rounded down to milliseconds.
  ///
  ///     let pages: Cache<URL, Stamped<String>> =
  ///       .memory() + \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .stamped(.utf8)
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - prefix: The prefix of all keys of this level on the server. The prefix must not begin
  ///     with the prefix of another level.
  ///   - valueLimit: The maximum size of a value in bytes. The default is 8 MiB.
  ///   - patience: The maximum time that a get of a sum waits while another process loads the
  ///     value. By default, it's `nil`: gets don't wait, and each process loads the value itself.
  ///     When `refreshing` is above the level, gets during the `staleWhileRevalidate` window return
  ///     the stale value without waiting.
  ///   - clock: The clock of the level. Verbs that you apply to the level use it, too. By default,
  ///     it's the system clock.
  /// - Law: A back-fill keeps the creation time and the deadline, both rounded down to
  ///   milliseconds. See `RedisStampedTests`.
  public static func redis(
    _ server: RedisServer, prefix: String, valueLimit: Int = 8 << 20,
    waitingForLoads patience: Duration? = nil, clock: TimeSource = .system
  ) -> Cache {
    redis(server, prefix, valueLimit, patience, .stamped(clock)).clocked(by: clock)
  }
}

extension Cache {
  /// Unavailable, because a Redis level has strings as keys and bytes as values. Map the keys, and
  /// add a codec.
  @available(
    *, unavailable,
    message: """
      the Redis level is a Cache<String, Data>: write a key map before it and a codec after it, as in \
      \\.absoluteString <^> .redis(server, prefix: "name:") <*> .json()
      """
  )
  public static func redis(
    _ server: RedisServer, prefix: String, valueLimit: Int = 8 << 20
  ) -> Cache {
    .empty
  }
}

extension Cache where Key == String {
  fileprivate static func redis(
    _ server: RedisServer, _ prefix: String, _ valueLimit: Int, _ patience: Duration?,
    _ format: RedisValueFormat<Value>
  ) -> Cache {
    let store = RedisStore(server, prefix: prefix, valueLimit: valueLimit)
    let leasing = RedisLeasing(patience: patience)
    var plan: CachePlan.Arguments = [
      nil: .name(server.description), "prefix": .text(prefix),
    ]
    plan["waitingForLoads"] = patience.map { .duration($0) }
    // A get may take five seconds for its requests, and may wait for another process's load as
    // well.
    let bound = patience.map { .seconds(5) + max(.zero, $0) }
    let level = Cache(
      get: { store.get($0, format) }, set: { store.set($0, $1, format) },
      remove: { store.remove($0) }, clear: { store.clear() }, memoryWarning: {},
      metadata: CacheMetadata(
        plan: .level("redis", .storage, plan), works: { $0.add(store.work) }))
    let cache = level.filledByTicket(
      awaitedBound: bound, take: { store.lease($0, rejects: $1, leasing, format) },
      set: { key, value, ticket in
        guard let lease = ticket as? RedisLease else { return Promise(error: RedisError.overtaken) }
        return store.fill(key, value, lease, format)
      })
    return store.bulkGet(format).map(cache.gettingMany) ?? cache
  }
}

import Foundation
import Strata

extension Cache where Key == String, Value == Data {
  /// Returns a level in Redis or Valkey that stores bytes with string keys.
  ///
  /// All processes that use the same server and prefix share the level. On every machine, a `get`
  /// that starts after a `set`, `remove`, or `clear` has settled sees the effect of that operation.
  /// Each record has a checksum of its key and its value, so a get of a damaged record fails. A
  /// record may be absent at any time, because the server may evict it.
  ///
  ///     let redis = RedisServer("redis://cache.internal:6379")
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .utf8
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - prefix: The prefix of all keys of this level on the server. It must not begin with the
  ///     prefix of another level, and another level's prefix must not begin with it.
  ///   - valueLimit: The maximum size of a value in bytes. The default is 8 MiB.
  ///   - patience: The maximum time that a get of a sum waits for a load by another process.
  ///     The default is `nil`: gets don't wait, and each process loads the value itself.
  /// - Returns: A cache whose operations fail with ``RedisError``, or with `CacheError.timedOut`
  ///   after the deadline of the server. A memory warning has no effect.
  /// - Complexity: Each operation sends one request. Waiting requests are sent in one write, and
  ///   adjacent gets share one `MGET`. Values are delivered on the connection's thread.
  /// - Law: A get after a settled set returns the value or misses: `level.reading`,
  ///   `level.linearizability` and more of `Laws.level`. See `RedisLevelLaws`.
  public static func redis(
    _ server: RedisServer, prefix: String, valueLimit: Int = 8 << 20,
    waitingForLoads patience: Duration? = nil
  ) -> Cache {
    redis(server, prefix, valueLimit, patience, .bytes)
  }
}

extension Cache where Key == String, Value == Stamped<Data> {
  /// Returns a level in Redis or Valkey that stores bytes with a creation time and a deadline.
  ///
  /// The compiler selects this overload for stamped values. Write `.stamped(codec)` after the
  /// level. The server removes a record at its deadline. A back-fill keeps the age of a value on
  /// every machine. Times are rounded down to milliseconds.
  ///
  ///     let pages: Cache<URL, Stamped<String>> =
  ///       .memory() + \.absoluteString <^> .redis(redis, prefix: "pages:") <*> .stamped(.utf8)
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - prefix: The prefix of all keys of this level on the server. It must not begin with the
  ///     prefix of another level, and another level's prefix must not begin with it.
  ///   - valueLimit: The maximum size of a value in bytes. The default is 8 MiB.
  ///   - patience: The maximum time that a get of a sum waits for a load by another process.
  ///     The default is `nil`: gets don't wait.
  ///   - clock: The clock of the level and of the verbs around it.
  /// - Law: a back-fill keeps the creation time and the deadline, to a millisecond. See
  ///   `RedisStampedTests`.
  public static func redis(
    _ server: RedisServer, prefix: String, valueLimit: Int = 8 << 20,
    waitingForLoads patience: Duration? = nil, clock: TimeSource = .system
  ) -> Cache {
    redis(server, prefix, valueLimit, patience, .stamped(clock)).clocked(by: clock)
  }
}

extension Cache {
  /// Unavailable for other keys and values. Map the keys, and add a codec.
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
    let operations = CacheOperations<String, Value>(
      get: { store.get($0, format) },
      set: { store.set($0, $1, format) },
      remove: { store.remove($0) },
      clear: { store.clear() },
      memoryWarning: {}, forget: { _ in })
    var plan: CachePlan.Arguments = [
      nil: .name(server.description), "prefix": .text(prefix),
    ]
    plan["waitingForLoads"] = patience.map { .duration($0) }
    // A get may wait for another process's load, in addition to the time of a request.
    let bound = patience.map { .seconds(5) + max(.zero, $0) }
    return Cache(operations, plan: .level("redis", .storage, plan)).leasing(patience: bound) {
      _, lease in
      var leased = operations
      if let lease = lease as? RedisLease {
        leased.set = { store.fill($0, $1, lease, format) }
      } else {
        leased.get = { store.get($0, leasing: leasing, format) }
      }
      return leased
    }
  }
}

import Foundation
import StrataCore

/// What a memory level with `following(_:prefix:whenDisconnected:)` does with its values when it
/// loses the connection to a server.
public enum RedisDisconnection: Sendable {
  /// Drops all values, and stores none until the connection is restored.
  case clear
  /// Keeps the values for at most the associated duration, after which gets miss. When the
  /// connection is restored, drops the kept values.
  case keep(Duration)
}

extension RedisDisconnection {
  /// Returns the time at which gets must stop returning values if a connection is lost at `now`.
  func end(after now: Int64) -> Int64 {
    guard case .keep(let duration) = self else { return 0 }
    return now + duration.shortNanoseconds
  }
}

extension Cache where Key == String {
  /// Returns a cache that drops a value when any process writes the value's key.
  ///
  /// Memory can't see what other machines write. But the server can: whenever any client writes a
  /// key with the prefix, even one in this process, the server reports the key. Then the cache
  /// drops the key's value.
  ///
  /// Use this verb for a memory level above a Redis level with the same server and prefix. Each
  /// report contains a key of the Redis level, so memory must use the same keys. So apply a key map
  /// to the sum of both levels, and not to one of them.
  ///
  ///     let articles: Cache<String, Article> =
  ///       .memory().following(redis, prefix: "articles:")
  ///       + .redis(redis, prefix: "articles:") <*> .json()
  ///
  /// Only back-fills store values in this cache. A `set` just removes the key's value, because
  /// another client may already have replaced the new value on the server. So the next get reads
  /// from the level below.
  ///
  /// This cache stores a loaded value only when the server has confirmed that it has the value,
  /// too. If the server can't store the value, for example because it's full, this cache doesn't
  /// store the value either. For the confirmation, the sum needs a Redis level with the same
  /// `RedisServer` value. Without one, the cache stays empty, and each back-fill fails with
  /// ``RedisError/unconfirmed(_:)``.
  ///
  /// The server must support version 3 of the Redis protocol (RESP3), as Redis 6 and Valkey do.
  /// Without it, the cache doesn't store values.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - prefix: The prefix of the Redis level.
  ///   - disconnection: The behavior after the loss of a connection. The default is to drop all
  ///     values.
  /// - Complexity: A hit performs one atomic load more than a hit of a cache without `following`.
  /// - Law: With the server's default deadline, a get never returns a value that was replaced more
  ///   than two seconds earlier. That's how long the client may take to notice a lost connection.
  ///   The client sends a heartbeat after one second of silence, and waits one second for the
  ///   reply. Three other delays may add to this time: the duration of
  ///   ``RedisDisconnection/keep(_:)``, any time for which your code blocks the connection's
  ///   thread, and the lag of replicas. See `following.bounded`, `RedisFollowingTests`, and
  ///   `RedisHistoryTests`.
  @inlinable
  public func following(
    _ server: RedisServer, prefix: String,
    whenDisconnected disconnection: RedisDisconnection = .clear
  ) -> Cache {
    let gate = RedisGate()
    return following(server, prefix, disconnection, gate) { get in
      { key in gate.isOpen ? get(key) : Promise(error: RedisGate.miss) }
    }
  }

  /// - Parameter gating: Returns a get that misses while the gate is closed. It's a parameter, so
  ///   the caller's module compiles and specializes it.
  @usableFromInline
  func following(
    _ server: RedisServer, _ prefix: String, _ disconnection: RedisDisconnection,
    _ gate: RedisGate, _ gating: @escaping GetTransform<Value>
  ) -> Cache {
    let (name, prefix, client) = (prefix, RedisName.bytes(of: prefix), server.client)
    let hearing = RedisHearing(gate, client, prefix, operations, disconnection)
    client.follow(
      RedisFollower(
        prefix: prefix, isAlive: { [weak hearing] in hearing != nil },
        receive: { [weak hearing] in hearing?.receive($0, from: $1) },
        witness: { [weak hearing] in hearing?.receive($0) }))
    let arguments: CachePlan.Arguments = ["prefix": .text(name)]
    let (plan, operations) = (CachePlan.verb(plan, "following", arguments), operations)
    return transforming(plan) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: gating(below.get),
        set: { key, _ in hearing.remove(key, below) },
        remove: { hearing.remove($0, below) },
        clear: {
          hearing.change(nil)
          return below.clear()
        },
        memoryWarning: below.memoryWarning,
        dropLoad: { key in withExtendedLifetime(client) { below.dropLoad(key) } })
    }.filledByTicket(
      take: { key, _ in Promise(hearing.ticket(key)) },
      set: { key, value, ticket in
        guard let ticket = ticket as? RedisHearing<Value>.Ticket else {
          return Promise(error: RedisError.overtaken)
        }
        return hearing.fill(key, value, ticket, operations)
      })
  }
}

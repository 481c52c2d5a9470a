import Foundation
import StrataCore
import Synchronization

/// The behavior of a cache that was created with `following(_:prefix:whenDisconnected:)`, after it
/// loses the connection to a server.
public enum RedisDisconnection: Sendable {
  /// Drops all values, and doesn't store values until the connection is restored.
  case clear
  /// Keeps the values for at most the associated duration. After that duration, gets miss. When the
  /// connection is restored, the cache drops the kept values.
  case keep(Duration)
}

extension RedisDisconnection {
  /// Returns the time at which gets must stop returning values if a connection is lost at `now`.
  fileprivate func end(after now: Int64) -> Int64 {
    guard case .keep(let duration) = self else { return 0 }
    return now + duration.shortNanoseconds
  }
}

extension Cache where Key == String {
  /// Returns a cache that drops a value when any process writes the value's key.
  ///
  /// The server reports each key that any client writes under the prefix, and the cache drops the
  /// key's value. The server also reports the writes of other caches in this process. Use this verb
  /// for a memory level above a Redis level with the same server and the same prefix. If you map
  /// keys, apply the key map to the sum of the memory level and the Redis level. Each report
  /// contains a key of the Redis level, so the memory level must use the same keys.
  ///
  ///     let articles: Cache<String, Article> =
  ///       .memory().following(redis, prefix: "articles:")
  ///       + .redis(redis, prefix: "articles:") <*> .json()
  ///
  /// Only back-fills store values in this cache. A `set` removes the old value without storing the
  /// new value, because another client may already have replaced the new value on the server. After
  /// a `set`, the next get reads the value from the level below. The server must support version 3
  /// of the Redis protocol (RESP3), as Redis 6 and Valkey do. Without RESP3, the cache doesn't
  /// store values.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - prefix: The prefix of the Redis level.
  ///   - disconnection: The behavior after the loss of a connection. The default is to drop all
  ///     values.
  /// - Complexity: Compared to a cache without `following`, a hit performs one additional atomic
  ///   load.
  /// - Law: With the server's default deadline, a get never returns a value that was replaced more
  ///   than two seconds before the get. Within two seconds, the client notices a lost connection:
  ///   it sends a heartbeat after one second of silence, and waits one second for the reply. Three
  ///   other delays add to the two seconds: the duration of ``RedisDisconnection/keep(_:)``, the
  ///   time for which your code blocks the connection's thread, and the lag of replicas that answer
  ///   gets. See `following.bounded`, `RedisFollowingTests`, and `RedisHistoryTests`.
  public func following(
    _ server: RedisServer, prefix: String,
    whenDisconnected disconnection: RedisDisconnection = .clear
  ) -> Cache {
    let (name, prefix) = (prefix, RedisName.bytes(of: prefix))
    let client = server.client
    let hearing = RedisHearing(operations, disconnection)
    client.follow(
      RedisFollower(prefix: prefix, isAlive: { [weak hearing] in hearing != nil }) {
        [weak hearing] in hearing?.receive($0, from: $1, prefix)
      })
    let arguments: CachePlan.Arguments = ["prefix": .text(name)]
    let (plan, operations) = (CachePlan.verb(plan, "following", arguments), operations)
    return transforming(plan) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: { hearing.isVouched ? below.get($0) : .miss },
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

/// The state of a cache with `following`: its connections, and whether gets can return values.
final class RedisHearing<Value: Sendable>: Sendable {
  private let versions = Lock(KeyVersions())
  private let operations: CacheOperations<String, Value>
  private let disconnection: RedisDisconnection
  /// For each connection, whether the server uses it to report writes.
  private let connections = Lock<[ObjectIdentifier: Bool]>([:])
  /// At or after this time, gets must not return values. While every connection receives reports of
  /// writes, the value is `Int64.max`.
  private let vouchedUntil = Atomic<Int64>(0)

  init(_ operations: CacheOperations<String, Value>, _ disconnection: RedisDisconnection) {
    (self.operations, self.disconnection) = (operations, disconnection)
  }

  /// Whether gets are allowed to return values.
  var isVouched: Bool {
    let end = vouchedUntil.load(ordering: .acquiring)
    return end == .max || end > runningNanoseconds()
  }

  func receive(
    _ event: RedisFollower.Event, from connection: ObjectIdentifier, _ prefix: [UInt8]
  ) {
    switch event {
    case .began, .left:
      removeAll()
      connections.withLock { connections in
        connections[connection] = event == .began ? true : nil
        let isComplete = !connections.isEmpty && connections.values.allSatisfy { $0 }
        if isComplete { vouchedUntil.store(.max, ordering: .releasing) }
      }
    case .wrote(let names):
      for name in names {
        guard let key = RedisName.key(of: name, prefix: prefix) else {
          removeAll()  // A `clear` has written the epoch's key.
          break
        }
        _ = remove(key, operations)
      }
    case .wroteAll: removeAll()
    case .ended:
      let end = disconnection.end(after: runningNanoseconds())
      connections.withLock { connections in
        connections[connection] = false
        let earlier = vouchedUntil.load(ordering: .relaxed)
        vouchedUntil.store(min(earlier, end), ordering: .releasing)
      }
      if end == 0 { removeAll() }
    }
  }

  /// Removes a key's value, and prevents in-flight gets of the key from storing older values.
  func remove(_ key: String, _ below: CacheOperations<String, Value>) -> Promise<Void> {
    change(KeyVersions.hash(key))
    return below.remove(key)
  }

  /// Prevents in-flight gets of a key, or of all keys, from storing older values.
  func change(_ hash: Int?) { versions.withLock { _ = $0.change(hash) } }

  private func removeAll() {
    change(nil)
    _ = operations.clear()
  }

  /// A get's right to back-fill its value. While the ticket exists, its key is watched.
  final class Ticket: Sendable {
    let hash: Int
    private let version: KeyVersions.Version
    private let versions: Lock<KeyVersions>

    init(_ hash: Int, _ versions: Lock<KeyVersions>) {
      (self.hash, self.versions) = (hash, versions)
      version = versions.withLock { $0.watch(hash) }
    }

    deinit { versions.withLock { $0.unwatch(hash) } }

    /// Whether no process has written the key since the ticket was taken.
    var isGood: Bool { versions.withLock { !$0.isWritten(hash, since: version) } }
  }

  func ticket(_ key: String) -> (any Sendable)? { Ticket(KeyVersions.hash(key), versions) }

  /// Stores a value, unless the server has reported a write to the key since the ticket was taken.
  func fill(
    _ key: String, _ value: Value, _ ticket: Ticket, _ below: CacheOperations<String, Value>
  ) -> Promise<Void> {
    guard isVouched, ticket.isGood else { return Promise(error: RedisError.overtaken) }
    // Checks the ticket again, because a report may arrive while the value is being stored.
    return below.set(key, value).flatMap {
      if self.isVouched, ticket.isGood { return Promise() }
      return below.remove(key).flatMap { Promise(error: RedisError.overtaken) }
    }
  }
}

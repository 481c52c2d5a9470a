/// Receives events when any client writes keys that begin with a prefix.
struct RedisFollower: Sendable {
  enum Event: Sendable, Equatable {
    /// From now on, the connection reports each write of any client.
    case began
    /// Clients have written the associated keys.
    case wrote([[UInt8]])
    /// Clients may have changed any key, for example with `FLUSHALL`.
    case wroteAll
    /// The connection has stopped reporting writes, or hasn't begun yet.
    case ended
    /// The connection is closed, and the follower no longer depends on it.
    case left
  }

  let prefix: [UInt8]
  /// Returns whether the cache that receives the events still exists. A client forgets a follower
  /// whose cache was released.
  let isAlive: @Sendable () -> Bool
  /// Receives an event and the identity of the connection that reports it. The connection calls
  /// this closure on its own thread, or on the one that adds the follower. The first event that it
  /// receives is ``Event/ended``.
  let receive: @Sendable (Event, _ connection: ObjectIdentifier) -> Void
  /// Receives what a Redis level with the same client has found or stored.
  let witness: @Sendable (RedisWitness) -> Void
  /// The identity of the follower.
  let token = Token()

  final class Token: Sendable {}
}

/// Receives events when any client writes keys that begin with a prefix.
struct RedisFollower: Sendable {
  enum Event: Sendable, Equatable {
    /// From now on, the connection reports each write of any client.
    case began
    /// Clients have written the associated keys.
    case wrote([[UInt8]])
    /// Clients may have changed all keys, for example with `FLUSHALL`.
    case wroteAll
    /// The connection has stopped reporting writes, or hasn't begun to report them.
    case ended
    /// The connection is closed, and the follower no longer depends on it.
    case left
  }

  let prefix: [UInt8]
  /// Returns whether the cache that receives the events still exists. A client forgets a follower
  /// whose cache was released.
  let isAlive: @Sendable () -> Bool
  /// Receives an event and the identity of the connection that reports the event. Called on the
  /// connection's thread, or on the thread that adds the follower. The first event is
  /// ``Event/ended``.
  let receive: @Sendable (Event, _ connection: ObjectIdentifier) -> Void
  /// Receives what a Redis level with the same client has found or stored.
  let witness: @Sendable (RedisWitness) -> Void
  /// The identity of the follower.
  let token = Token()

  final class Token: Sendable {}
}

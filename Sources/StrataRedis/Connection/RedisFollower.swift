/// Receives the keys that other clients have written under a prefix.
struct RedisFollower: Sendable {
  enum Event: Sendable, Equatable {
    /// From now on, the connection reports each write of another client.
    case began
    /// These keys were written.
    case wrote([[UInt8]])
    /// Any key may have been written.
    case wroteAll
    /// The connection doesn't report writes.
    case ended
    /// The connection is closed, and its server has no keys anymore.
    case left
  }

  let prefix: [UInt8]
  /// Receives an event and the identity of its connection. Called on the thread of the connection,
  /// and once with ``Event/ended`` on the thread that begins to follow.
  let receive: @Sendable (Event, _ connection: ObjectIdentifier) -> Void
}

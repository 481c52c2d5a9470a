/// Receives the keys that other clients have written under a prefix.
struct RedisFollower: Sendable {
  enum Event: Sendable, Equatable {
    /// From now on, each write of another client is reported.
    case began
    /// These keys were written.
    case wrote([[UInt8]])
    /// Any key may have been written.
    case wroteAll
    /// Writes are no longer reported.
    case ended
  }

  let prefix: [UInt8]
  /// Called on the thread of the connection.
  let receive: @Sendable (Event) -> Void
}

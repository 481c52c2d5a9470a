/// The right to back-fill a level to which other clients also write.
///
/// Such a level accepts a back-fill only with a ticket. After a get has failed in the level, the
/// sum takes a ticket. When it has found the value below, it presents this ticket with the
/// back-fill. Later writes to the key, even by another process, end the ticket. Each level chooses
/// what its tickets are.
@usableFromInline
package struct Tickets<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package typealias Ticket = any Sendable
  package typealias Take = @Sendable (_ key: Key, _ rejects: Bool) -> Promise<Ticket?>

  /// Takes a ticket for a key, after a get of the key has failed, and before the next level is
  /// read. The result is `nil` if the level has a newer value, so the level must be read again.
  ///
  /// When `rejects` is `true`, the level may have a value that a verb or a codec has rejected. In
  /// this case, it grants a ticket although it has a value.
  ///
  /// Only key maps change this function. All other verbs, codecs, and observers pass it on.
  package let take: Take
  /// Returns the level's variant whose `set` stores a value only if the ticket is still valid.
  package let filling: @Sendable (_ ticket: Ticket) -> Cache<Key, Value>

  package init(
    take: @escaping @Sendable (_ key: Key, _ rejects: Bool) -> Promise<Ticket?>,
    filling: @escaping @Sendable (_ ticket: Ticket) -> Cache<Key, Value>
  ) {
    (self.take, self.filling) = (take, filling)
  }
}

extension Tickets {
  /// Returns the tickets of the cache that `again` creates from a level's variant.
  package func mapping<NewValue>(
    _ again: @escaping @Sendable (Cache<Key, Value>) -> Cache<Key, NewValue>
  ) -> Tickets<Key, NewValue> {
    Tickets<Key, NewValue>(take: take) { again(filling($0)) }
  }
}

/// A failure of a level itself, such as a lost connection. After such a failure, a sum takes no
/// ticket.
package protocol StorageFailure: Error {
  /// Whether only the stored value is unusable.
  var isOfOneValue: Bool { get }
  /// Whether a later write took effect before a write with a ticket, which therefore stored nothing.
  var isOvertaken: Bool { get }
}

/// The tickets that a sum has taken from its levels during a get. When the sum is itself a level of
/// another sum, these tickets together are its own ticket.
@usableFromInline
struct SumTickets: Sendable {
  /// The version of the sum's order when the first ticket was taken.
  var version: SumOrder.Ticket = 0
  /// The tickets, by the level's index.
  var tickets: [Int: any Sendable] = [:]

  /// Returns whether a sum takes a ticket from a level after a get of the level has failed with an
  /// error. It takes none if the level itself failed or timed out, or if its value is unknown. The
  /// same holds if a condition, a full queue, or an open circuit caused the failure.
  static func areTaken(after failure: any Error) -> Bool {
    if let failure = failure as? any StorageFailure { return failure.isOfOneValue }
    if case .timedOut? = failure as? CacheError { return false }
    return !failure.isRefusal
  }
}

extension Cache {
  /// Returns this cache with tickets for its back-fills.
  ///
  /// - Parameters:
  ///   - awaitedBound: The maximum time for which a sum waits for one operation, or `nil` to keep
  ///     this cache's limit.
  ///   - take: See ``Tickets``.
  ///   - set: Stores a value with a ticket.
  package func filledByTicket(
    awaitedBound: Duration? = nil,
    take: @escaping @Sendable (_ key: Key, _ rejects: Bool) -> Promise<(any Sendable)?>,
    set: @escaping @Sendable (Key, Value, _ ticket: any Sendable) -> Promise<Void>
  ) -> Cache {
    let tickets = Tickets<Key, Value>(take: take) { ticket in
      var filling = self.operations
      filling.set = { set($0, $1, ticket) }
      return Cache(filling, metadata: self.metadata)
    }
    return Cache(
      operations,
      metadata: metadata.with { properties in
        let rebuilding = properties.rebuilding
        properties.awaitedBound = awaitedBound ?? properties.awaitedBound
        properties.tickets = tickets
        properties.rebuilding = {
          rebuilding?($0)?.filledByTicket(awaitedBound: awaitedBound, take: take, set: set)
        }
      })
  }
}

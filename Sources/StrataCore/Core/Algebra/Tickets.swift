/// The right to back-fill a level that other clients write, too.
///
/// Such a level takes a back-fill only with a ticket. After a get has failed in the level, a sum
/// takes one, and fills the level with it after it has found the value below. Later writes, even by
/// another process, end the ticket. What a ticket is depends on the level.
@usableFromInline
package struct Tickets<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package typealias Ticket = any Sendable
  package typealias Take = @Sendable (_ key: Key, _ rejects: Bool) -> Promise<Ticket?>

  /// Takes a ticket for a key. Called after a get of the key has failed, and before the next level
  /// is read. It's `nil` if the level has a newer value, so the level must be read again.
  ///
  /// With `rejects`, the level may have a value that a verb or a codec has rejected. Then it grants
  /// a ticket although it has a value.
  ///
  /// Only key maps change this function. All other verbs, codecs, and observers are skipped.
  package let take: Take
  /// Returns the level's variant whose `set` stores a value only if the ticket is still good.
  let filling: @Sendable (_ ticket: Ticket) -> Cache<Key, Value>

  package init(
    take: @escaping @Sendable (_ key: Key, _ rejects: Bool) -> Promise<Ticket?>,
    filling: @escaping @Sendable (_ ticket: Ticket) -> Cache<Key, Value>
  ) {
    (self.take, self.filling) = (take, filling)
  }
}

extension Tickets {
  /// Returns the tickets of the cache that `again` makes from a level's variant.
  func mapping<NewValue>(
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
}

/// The tickets that a sum has taken from its levels during a get. They are the ticket of the sum if
/// the sum is itself a level.
@usableFromInline
struct SumTickets: Sendable {
  /// The version of the sum's order when the first ticket was taken.
  var version: SumOrder.Ticket = 0
  /// By level.
  var tickets: [Int: any Sendable] = [:]

  /// Whether a sum takes a ticket from a level after a get has failed with an error. It doesn't if
  /// the level itself failed or timed out, or if its value is unknown. Neither does it if a
  /// condition, a full queue, or an open circuit caused the failure.
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
  ///   - awaitedBound: The maximum time that a sum waits for one operation, or `nil` to keep this
  ///     cache's limit.
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

/// The failures that a get of a sum has received from the levels. If all failures are plain misses,
/// the get doesn't create this object.
@usableFromInline
final class SumFailures: Sendable {
  /// The error that the sum reports, or `nil` if every failure is a plain miss.
  let error: (any Error)?
  /// The lowest level whose value is outdated and must not be returned.
  let outdatedLevel: Int?
  let tickets: SumTickets
  private let hanging: [Int]

  init(_ error: (any Error)?, outdatedLevel: Int?, _ tickets: SumTickets, hanging: [Int]) {
    (self.error, self.outdatedLevel, self.tickets, self.hanging) =
      (error, outdatedLevel, tickets, hanging)
  }

  /// Whether a level hangs. Back-fills skip a hanging level.
  @usableFromInline
  func isHanging(_ level: Int) -> Bool { hanging.contains(level) }

  /// A failure of a get, and the ticket that was taken after it. The ticket is `nil` if the level
  /// didn't grant one.
  struct WithTicket: Error {
    let failure: any Error
    let ticket: (any Sendable)?
  }

  /// Returns `failures` with the failure of the next level added.
  ///
  /// - Parameter isSum: Whether the level contains a sum. A sum skips its own hanging levels.
  static func adding(
    _ failure: any Error, of level: Int, isSum: Bool, to failures: SumFailures?
  ) -> SumFailures {
    var tickets = failures?.tickets ?? SumTickets()
    var failure = failure
    if let taken = failure as? WithTicket {
      tickets[level] = taken.ticket
      failure = taken.failure
    }
    var hanging = failures?.hanging ?? []
    var (error, outdatedLevel) = (failures?.error, failures?.outdatedLevel)
    if failure is OutdatedMiss {
      outdatedLevel = level
      error = error ?? plainMiss
    } else if !isPlainMiss(failure) {
      error = outranking(upper: error, lower: failure)
      if failure.isFromHangingLevel, !isSum { hanging.append(level) }
    }
    return SumFailures(error, outdatedLevel: outdatedLevel, tickets, hanging: hanging)
  }
}

extension Sum {
  @usableFromInline
  func adding(_ failure: any Error, of level: Int, to failures: SumFailures?) -> SumFailures {
    let hasLevels = members[level].cache.metadata.conduct.allowance > .zero
    return .adding(failure, of: level, isSum: hasLevels, to: failures)
  }

  /// Ends a get with an error. If a level has an outdated value and no lower level has a value,
  /// this function removes the outdated value.
  @usableFromInline
  func miss(_ descent: Descent, _ failures: SumFailures) -> Promise<Value> {
    let error = failures.error ?? plainMiss
    if let level = failures.outdatedLevel, error.isAbsence {
      fill(descent.key, descent.hash, since: descent.version) {
        $0 == level ? self.members[level].cache.remove(descent.key) : nil
      }
    }
    return Promise(error: error)
  }

  /// Takes a ticket from a level after a get of the level has failed. Returns `nil` if a ticket is
  /// unnecessary or impossible. For example, the lowest level needs no ticket, because no lower
  /// level can return a value for a back-fill.
  ///
  /// If the level has a newer value, the result is that value. Otherwise, the result fails with
  /// `SumFailures.WithTicket`.
  ///
  /// - Parameter start: The time at which the get of the level began, or `nil` for now. The get and
  ///   the request for a ticket share the level's time bound.
  @usableFromInline
  func takingTicket(
    _ descent: Descent, at level: Int, after failure: any Error,
    since start: TimeSource.Instant? = nil
  ) -> Promise<Value>? {
    guard let tickets = members[level].tickets, level + 1 < members.count,
      !(failure is SumFailures.WithTicket), SumTickets.areTaken(after: failure),
      order.isHidden(descent.hash, in: level) == nil
    else { return nil }
    let (cache, key) = (members[level].cache, descent.key)
    @Sendable func taking(_ failure: any Error, rejects: Bool) -> Promise<Value?> {
      tickets.take(key, rejects).flatMapOutcome { outcome in
        switch outcome {
        case .cancelled: return .cancelled
        case .failure: return Promise(error: SumFailures.WithTicket(failure: failure, ticket: nil))
        case .success(nil): return Promise(outcome: .success(nil))
        case .success(let ticket?):
          return Promise(error: SumFailures.WithTicket(failure: failure, ticket: ticket))
        }
      }
    }
    let answer = taking(failure, rejects: !isPlainMiss(failure)).flatMap { _ in
      cache.get(key).recover { error -> Promise<Value> in
        taking(error, rejects: true).flatMap { _ in
          Promise(error: SumFailures.WithTicket(failure: error, ticket: nil))
        }
      }
    }
    guard let bound = members[level].getBound else { return answer }
    let rest = bound - (start?.duration(to: clock.now()) ?? .zero)
    return answer.timeout(after: rest, clock: clock) {
      SumFailures.WithTicket(failure: failure, ticket: nil)
    }
  }
}

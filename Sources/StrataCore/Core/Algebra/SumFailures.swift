/// The failures that a get of a sum has received from the levels. When all of them are plain
/// misses, the get doesn't create this object.
@usableFromInline
final class SumFailures: Sendable {
  /// The error that the sum reports, or `nil` if every failure is a plain miss.
  let error: (any Error)?
  /// The lowest level whose value is outdated and must not be returned.
  let outdatedLevel: Int?
  @usableFromInline let tickets: SumTickets
  private let hanging: [Int]

  init(_ error: (any Error)?, outdatedLevel: Int?, _ tickets: SumTickets, hanging: [Int]) {
    (self.error, self.outdatedLevel, self.tickets, self.hanging) =
      (error, outdatedLevel, tickets, hanging)
  }

  /// Whether a level hangs. Back-fills skip a hanging level.
  @usableFromInline
  func isHanging(_ level: Int) -> Bool { hanging.contains(level) }

  /// Returns `failures` and, in addition, the failure of the next level.
  ///
  /// - Parameters:
  ///   - ticket: The ticket that the get took after the failure, or `nil`.
  ///   - isSum: Whether the level contains a sum, which skips its own hanging levels.
  static func adding(
    _ failure: any Error, _ ticket: (any Sendable)?, of level: Int, isSum: Bool,
    to failures: SumFailures?
  ) -> SumFailures {
    var tickets = failures?.tickets ?? SumTickets()
    var hanging = failures?.hanging ?? []
    var (error, outdatedLevel) = (failures?.error, failures?.outdatedLevel)
    tickets.tickets[level] = ticket
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
  func adding(
    _ failure: any Error, _ ticket: (any Sendable)? = nil, of level: Int, to failures: SumFailures?
  ) -> SumFailures {
    let hasLevels = members[level].cache.metadata.conduct.boundOfLevels > .zero
    return .adding(failure, ticket, of: level, isSum: hasLevels, to: failures)
  }

  /// Ends a get with an error. When a level has an outdated value and no lower level has a value,
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

  /// Takes a ticket from a level after a get of this level has failed, and then continues the get.
  /// When the level has a newer value, the get ends with this value. Returns `nil` if a ticket is
  /// unnecessary or impossible. For example, the lowest level needs no ticket, because no level
  /// below it can return a value for a back-fill.
  ///
  /// - Parameter start: The time at which the get of the level began, or `nil` if it's the current
  ///   time. The get and the request for a ticket share the level's time bound.
  @usableFromInline
  func takingTicket(
    _ descent: Descent, at level: Int, after failure: any Error, _ failures: SumFailures?,
    since start: TimeSource.Instant? = nil
  ) -> Promise<Value>? {
    let (member, key) = (members[level], descent.key)
    guard let tickets = member.tickets, level < lowest,
      SumTickets.areTaken(after: failure), order.skip(descent.hash, in: level) == nil
    else { return nil }
    /// The result is `nil` if the level has a newer value.
    @Sendable func take(_ failure: any Error, rejects: Bool) -> Promise<Taken<Value>?> {
      tickets.take(key, rejects).flatMapOutcome { outcome in
        if case .success(nil) = outcome { return Promise(outcome: .success(nil)) }
        return Promise(.failure(failure, ticket: outcome.value ?? nil))
      }
    }
    let taken = take(failure, rejects: !isPlainMiss(failure)).flatMap { taken in
      if let taken { return Promise(taken) }
      return member.cache.get(key).map { .value($0) }.recover { error in
        take(error, rejects: true).map { $0 ?? .failure(error, ticket: nil) }
      }
    }
    let rest = member.getBound.map { $0 - (start?.duration(to: clock.now()) ?? .zero) }
    let inTime = rest.map { taken.timeout(after: $0, clock: clock) } ?? taken
    return inTime.recover { _ in .failure(failure, ticket: nil) }.flatMap { [self] taken in
      switch taken {
      case .value(let value): return descend(descent, Promise(value), at: level, failures)
      case .failure(let failure, let ticket):
        let failures = adding(failure, ticket, of: level, to: failures)
        return descend(descent, next(descent, level + 1), at: level + 1, failures)
      }
    }
  }
}

/// The answer that a get has received from a level that needs tickets.
private enum Taken<Value: Sendable>: Sendable {
  case value(Value)
  case failure(any Error, ticket: (any Sendable)?)
}

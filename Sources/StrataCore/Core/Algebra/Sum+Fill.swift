extension Sum {
  /// Starts to write a value into the levels above `level`, unless the key has been written since
  /// the get that read the value began.
  @inlinable
  func backFill(_ value: Value, above level: Int, _ descent: Descent, _ failures: SumFailures?) {
    guard level > 0, descent.epoch == LoadEpoch.ofFills else { return }
    fill(descent.key, descent.hash, since: descent.version, above: level) { upper in
      let member = members[upper]
      guard !member.isReadOnly, failures?.isHanging(upper) != true else { return nil }
      if reporter == nil, !hasTickets { return member.fills.set(descent.key, value) }
      return filling(upper, with: failures?.tickets).map { fill($0, descent.key, value) }
    }
  }

  /// Writes a value to a level, and reports the outcome.
  @usableFromInline
  func fill(_ level: Cache<Key, Value>, _ key: Key, _ value: Value) -> Promise<Void> {
    guard let reporter else { return level.set(key, value) }
    let (start, bytes) = (reporter.now(), CacheEvent.bytes(of: value))
    return level.set(key, value).observed {
      reporter.report(.backFill, key, since: start, $0, bytes: bytes)
    }
  }

  /// The cache into which a back-fill writes, or `nil` if the level's ticket is missing.
  @usableFromInline
  func filling(_ level: Int, with tickets: SumTickets?) -> Cache<Key, Value>? {
    guard let needed = members[level].tickets else { return members[level].fills }
    return tickets?.tickets[level].map(needed.filling)
  }

  /// Writes the value that a get has found to the levels, unless the key has been written since the
  /// get began.
  ///
  /// - Parameters:
  ///   - end: The first level to which the value isn't written. By default, it's written to all
  ///     levels.
  ///   - write: A function that writes to a level, or returns `nil` if it doesn't write to this
  ///     level.
  @inlinable
  package func fill(
    _ key: Key, _ hash: Int, since version: Ticket, above end: Int? = nil,
    _ write: (_ level: Int) -> Promise<Void>?
  ) {
    guard let (ticket, ofAll) = order.beginFill(hash, since: version) else { return }
    for level in 0..<(end ?? members.count) where ofAll || order.mayFill(hash, in: level) {
      guard let answer = write(level) else { continue }
      if case .success = answer.state { continue }  // The usual case, which needs no closure.
      waitForFill(answer, of: hash, in: level)
    }
    if !order.endFillQuietly(hash) { endFill(ticket, key, hash) }
  }

  @usableFromInline
  func waitForFill(_ write: Promise<Void>, of hash: Int, in level: Int) {
    guard write.outcome == nil else { return }
    order.work.follow(write)
    order.update { $0.calls.beginWaiting(forFillOf: hash, in: level) }
    let end = { @Sendable in self.order.update { $0.calls.endWaiting(forFillOf: hash, in: level) } }
    let cancelTimer = members[level].writeBound.map { clock.after($0, end) }
    write.observed { _ in
      cancelTimer?()
      end()
    }
  }

  @usableFromInline
  func endFill(_ ticket: Ticket, _ key: Key, _ hash: Int) {
    let fill = SumWrite(role: .fill, ticket: ticket, key: key, hash: hash)
    finish(leave(fill), of: fill)
  }

  /// The tickets of this sum, if any of its levels needs tickets. With these tickets, a sum above
  /// this one fills this sum's levels. The back-fill by the upper sum doesn't count as a write of
  /// this sum.
  var tickets: Tickets<Key, Value>? { hasTickets ? ownTickets : nil }

  /// Tickets that end with each write to the key through this sum. They contain the tickets of the
  /// levels that need them.
  package var ownTickets: Tickets<Key, Value> {
    Tickets { [self] key, rejects in
      let version = order.word.load(ordering: .acquiring) >> 2
      let none = Promise<SumTickets?>(SumTickets(version: version))
      return members.indices.reduce(none) { earlier, level in
        guard let tickets = members[level].tickets else { return earlier }
        return earlier.flatMap { taken in
          guard let taken else { return Promise(outcome: .success(nil)) }
          return self.bounded(tickets.take(key, rejects), key, at: level).map { ticket in
            guard let ticket else { return nil }
            var taken = taken
            taken.tickets[level] = ticket
            return taken
          }.recover { _ in taken }
        }
      }.map { $0 }
    } filling: { [self] ticket in
      let tickets = ticket as? SumTickets
      let set = { @Sendable (key: Key, value: Value) in
        var answers: [Promise<Void>] = []
        self.fill(key, self.hash(of: key), since: tickets?.version ?? 0) { level in
          guard !self.members[level].isReadOnly, let cache = self.filling(level, with: tickets)
          else { return nil }
          answers.append(cache.set(key, value))
          return answers.last
        }
        return Promise.joint(answers)
      }
      return self.cache(set: set)
    }
  }
}

/// A hidden key.
final class KeyBox<Key: Sendable>: Sendable {
  let key: Key?

  init(_ key: Key?) { self.key = key }
}

/// The repair of levels that may have an older value. See `CallOrder+Hidden.swift`.
extension Sum {
  /// Tells the order how a level has answered a write.
  func report(_ outcome: Promise<Void>.Outcome, of write: SumWrite<Key>, at level: Int) {
    guard let owners = compared(outcome, write, at: level) else { return }
    order.update { apply(outcome, of: write, at: level, owners, &$0.calls) }
    if write.hash == nil, outcome.value == nil { repairAll(level) }
  }

  /// What the keys that are hidden with the same hash mean for a write's outcome.
  enum Owners {
    /// For each hidden key, whether it is the write's key.
    case compared([Bool])
    /// The write fails, so its key must be hidden too.
    case new(any SumOrder.HiddenKey)
    /// The write's key is known, or the write has no key.
    case known
  }

  /// Compares the hidden keys with the key of a write, without the lock. Returns `nil` if the order
  /// needs no report.
  func compared(
    _ outcome: Promise<Void>.Outcome, _ write: SumWrite<Key>, at level: Int
  ) -> Owners? {
    let member = members[level]
    if outcome.value == nil, !member.isSum, !member.isAlone || outcome.isRefused {
      return newOwner(write, at: level).map { .new($0) } ?? .known
    }
    guard !order.isQuiet else { return nil }
    if outcome.value == nil, member.isAlone { return .known }
    guard write.hash != nil else { return .known }
    return .compared(owners(write, at: level))
  }

  /// For each hidden key with the hash of a write, whether it is the write's key.
  private func owners(_ write: SumWrite<Key>, at level: Int) -> [Bool] {
    guard let hash = write.hash else { return [] }
    return owners(order.state.withLock { $0.calls.owners(hash, in: level) }, are: write.key)
  }

  /// Compares hidden keys with a key, outside the lock.
  func owners(_ owners: [any SumOrder.HiddenKey], are key: Key?) -> [Bool] {
    owners.map { owner in
      guard let key, let other = unsafeDowncast(owner, to: KeyBox<Key>.self).key else {
        return false
      }
      return KeyHash.areSame(other, key)
    }
  }

  /// The key of a write, if it isn't hidden yet.
  func newOwner(_ write: SumWrite<Key>, at level: Int) -> (any SumOrder.HiddenKey)? {
    guard write.hash != nil, !owners(write, at: level).contains(true) else { return nil }
    return KeyBox(write.key)
  }

  func apply(
    _ outcome: Promise<Void>.Outcome, of write: SumWrite<Key>, at level: Int, _ owners: Owners,
    _ calls: inout CallOrder<any SumOrder.HiddenKey>
  ) {
    let member = members[level]
    let hasSucceeded = outcome.value != nil || member.isSum
    if !hasSucceeded, member.isAlone, !outcome.isRefused,
      !calls.isHidden(write.hash, by: write.ticket, in: level)
    {
      return  // Only a late write that fails afterwards owes a removal.
    }
    switch (hasSucceeded, owners, write.hash) {
    case (true, .compared(let shown), let hash?):
      calls.succeeded(write.ticket, hash, in: level, shows: shown)
    case (true, _, nil): calls.cleared(write.ticket, in: level)
    case (true, _, _): break
    case (false, _, let hash):
      var owner: (any SumOrder.HiddenKey)?
      if case .new(let key) = owners { owner = key }
      calls.failed(
        write.ticket, hash, in: level, isLate: false, isAbsent: outcome.isRefused, owner)
    }
  }

  func repair(_ write: SumWrite<Key>, at level: Int) {
    if let hash = write.hash { repair(hash, in: level) } else { repairAll(level) }
  }

  /// Removes a key from the levels that owe its removal, if no other operation of the key is in
  /// flight. Returns the answers of those levels.
  @discardableResult
  func repair(_ hash: Int, in only: Int? = nil) -> [(level: Int, answer: Promise<Void>)] {
    guard !order.isQuiet, let due = order.update({ $0.calls.repair(hash, in: only) }) else {
      return []
    }
    let answers = due.levels.map { level, owners in
      let keys = owners.compactMap { unsafeDowncast($0, to: KeyBox<Key>.self).key }
      return (level: level, answer: Promise.joint(keys.map(members[level].cache.remove)))
    }
    for (level, answer) in answers {
      let owners = due.levels.first { $0.level == level }?.owners.count ?? 0
      settle(answer, within: members[level].writeBound) { hasSucceeded in
        self.order.update { state in
          if hasSucceeded {
            state.calls.succeeded(
              due.ticket, hash, in: level, shows: Array(repeating: true, count: owners))
          } else {
            state.calls.removalFailed(due.ticket, hash, in: level)
          }
        }
      }
    }
    var next = leave(due.ticket, nil, hash, isWrite: false)
    while let write = next { next = write.run() }
    return answers
  }

  /// Clears a level in which all keys are hidden. Returns `nil` if that isn't necessary, or if a
  /// clear is in flight.
  @discardableResult
  func repairAll(_ level: Int) -> Promise<Void>? {
    guard !order.isQuiet, let ticket = order.update({ $0.calls.repairAll(level) }) else {
      return nil
    }
    let answer = members[level].cache.clear()
    settle(answer, within: members[level].writeBound) { hasSucceeded in
      self.order.update { state in
        if hasSucceeded {
          state.calls.cleared(ticket, in: level)
        } else {
          state.calls.failed(ticket, nil, in: level, isLate: false, nil)
        }
      }
    }
    return answer
  }

  /// Calls a closure when a removal settles, or is late.
  private func settle(
    _ answer: Promise<Void>, within bound: Duration?, _ body: @escaping @Sendable (Bool) -> Void
  ) {
    if let outcome = answer.outcome { return body(outcome.value != nil) }
    let cancelTimer = bound.map { bound in clock.after(bound) { body(false) } }
    answer.observed { outcome in
      cancelTimer?()
      body(outcome.value != nil)
    }
  }
}

extension Promise.Outcome {
  /// Whether a circuit breaker has refused a write, so the level wasn't called.
  fileprivate var isRefused: Bool {
    if case .circuitOpen? = error as? CacheError { true } else { false }
  }
}

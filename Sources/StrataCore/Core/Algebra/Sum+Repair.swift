/// A hidden key. See `CallOrder.HiddenKey`.
final class KeyBox<Key: Sendable>: Sendable {
  let key: Key?

  init(_ key: Key?) { self.key = key }
}

/// A level's answer to an operation, and its consequences for the order.
struct LevelAnswer: Sendable {
  let level: Int
  let outcome: Promise<Void>.Outcome
  let verdict: CallOrder.Verdict
  /// The keys that this answer hides, or makes visible again.
  let keys: [CallOrder.HiddenKey]
  /// Whether a failure before the time limit leaves the key visible. It does for a verb above a
  /// single level, because without the verb, the level alone wouldn't hide the key either.
  let isForgiven: Bool
}

/// The repair of levels that may have an older value. See `CallOrder+Hidden.swift`.
extension Sum {
  /// Prepares a level's answer without holding the lock. The outcome is `nil` if the answer is
  /// late.
  func levelAnswer(
    _ outcome: Promise<Void>.Outcome?, to write: SumWrite<Key>, at level: Int
  ) -> LevelAnswer {
    let member = members[level]
    let verdict = member.verdict(outcome)
    let bound = member.parkedBound ?? .zero
    return LevelAnswer(
      level: level, outcome: outcome ?? .failure(timedOut(at: level, bound, write.key)),
      verdict: verdict,
      keys: verdict.isSuccess && order.isQuiet ? [] : hiddenKeys(verdict, to: write, at: level),
      isForgiven: member.isVerbOnly && verdict.isFailure && write.role == .write)
  }

  /// Returns the keys hidden in the level that equal the written key. If there are none, and the write
  /// hasn't succeeded, returns the written key, which must now be hidden.
  private func hiddenKeys(
    _ verdict: CallOrder.Verdict, to write: SumWrite<Key>, at level: Int
  ) -> [CallOrder.HiddenKey] {
    if write.role == .repair { return verdict.isSuccess ? write.removed : [] }
    guard let hash = write.hash, let key = write.key else { return [] }
    let equal = hiddenKeys(hash, of: key, at: level)
    return equal.isEmpty && !verdict.isSuccess ? [KeyBox(key)] : equal
  }

  /// Returns the hidden keys that are equal to a key. This function compares them outside the lock.
  func hiddenKeys(_ hash: Int, of key: Key, at level: Int) -> [CallOrder.HiddenKey] {
    equal(order.hiddenKeys(hash, in: level), to: key)
  }

  private func equal(_ keys: [CallOrder.HiddenKey], to key: Key) -> [CallOrder.HiddenKey] {
    keys.filter { hiddenKey in
      unsafeDowncast(hiddenKey, to: KeyBox<Key>.self).key.map { KeyHash.areSame($0, key) } == true
    }
  }

  /// Returns `nil` if a get may read a level. When the get must skip the level, returns whether the
  /// key counts as absent there. If only other keys with the same hash are hidden, the get may read
  /// the level. Writes don't reach a read-only level, so it never hides a key.
  func isAbsent(_ key: Key, _ hash: Int, at level: Int) -> Bool? {
    guard !members[level].isReadOnly, let skip = order.skip(hash, in: level) else { return nil }
    let isOther = !skip.keys.isEmpty && equal(skip.keys, to: key).isEmpty
    return isOther ? nil : skip.isAbsent
  }

  /// Removes a key from the levels in which it's hidden, if no other operation of the key is in
  /// flight. Removes all keys if `hash` is `nil`. Returns the answers of those levels.
  @discardableResult
  func repair(_ hash: Int?, in only: Int? = nil) -> [Promise<Void>] {
    guard !order.isQuiet, let due = order.update({ $0.calls.repair(hash, in: only) }) else {
      return []
    }
    var removal = SumWrite<Key>(role: .repair, ticket: due.ticket, key: nil, hash: hash)
    let joint = Joint(of: due.levels.count)
    let answers = due.levels.map { level, hidden in
      let (cache, keys) = (
        members[level].cache, hidden.compactMap { unsafeDowncast($0, to: KeyBox<Key>.self).key }
      )
      return hash == nil ? cache.clear() : .joint(keys.map(cache.remove))
    }
    for ((level, hidden), answer) in zip(due.levels, answers) {
      removal.removed = hidden
      follow(answer, of: removal, at: level, joint)
    }
    finish(leave(removal, [], joint), of: removal)
    return answers
  }
}

extension SumOrder.State {
  /// Records a level's answer. Returns whether it's the first answer of this level, and whether
  /// it's the last answer that the operation waits for.
  mutating func record<Key>(
    _ answer: LevelAnswer, of write: SumWrite<Key>, _ joint: Joint
  ) -> (isFirst: Bool, isLast: Bool) {
    let (isFirst, isLast) = joint.record(answer.outcome, of: answer.level)
    // A late answer counts only while the key is still hidden.
    let isKnown = calls.hidden[answer.level]?[write.hash] != nil
    if isFirst ? !answer.isForgiven : !answer.verdict.isLate && isKnown {
      calls.answered(answer.verdict, write.ticket, write.hash, in: answer.level, answer.keys)
    }
    return (isFirst, isLast)
  }

  /// Ends an operation. When it's a caller's write, the key has one open write less.
  mutating func end<Key>(_ write: SumWrite<Key>, _ joint: Joint?) -> SumOrder.Rest {
    if write.role == .write { calls.end(write.ticket, write.hash) }
    return SumOrder.Rest(released: release(write.ticket), ended: joint)
  }
}

extension CallOrder.Verdict {
  var isSuccess: Bool { if case .success = self { true } else { false } }
  var isFailure: Bool { if case .failure(isRefusal: false) = self { true } else { false } }
  var isLate: Bool { if case .late = self { true } else { false } }
}

extension CacheMetadata.Member {
  /// Returns the consequence of a write's outcome for the order. The outcome is `nil` if
  /// the level hasn't answered in time.
  func verdict(_ outcome: Promise<Void>.Outcome?) -> CallOrder.Verdict {
    switch outcome {
    case nil: .late
    case .success: .success
    case _ where isSum: .success  // The sum itself has hidden the key.
    case .failure(CacheError.circuitOpen): .failure(isRefusal: true)
    case .failure, .cancelled: .failure(isRefusal: false)
    }
  }
}

/// A hidden key.
final class KeyBox<Key: Sendable>: Sendable {
  let key: Key?

  init(_ key: Key?) { self.key = key }
}

/// The repair of levels that may have an older value. See `CallOrder+Hidden.swift`.
extension Sum {
  /// The hidden keys that a level's answer concerns: those that are equal to the key of the write, or
  /// the key itself if it has to be hidden.
  func owners(
    _ answer: CallOrder.Answer, to write: SumWrite<Key>, at level: Int
  ) -> [CallOrder.Owner] {
    if let removed = write.removed { return answer.isSuccess ? removed : [] }
    guard let hash = write.hash, let key = write.key else { return [] }
    let equal = owners(hash, of: key, at: level)
    return equal.isEmpty && !answer.isSuccess ? [KeyBox(key)] : equal
  }

  /// The hidden keys with the hash of a key that are equal to the key. They are compared outside the
  /// lock.
  private func owners(_ hash: Int, of key: Key, at level: Int) -> [CallOrder.Owner] {
    order.owners(hash, in: level).filter { owner in
      unsafeDowncast(owner, to: KeyBox<Key>.self).key.map { KeyHash.areSame($0, key) } == true
    }
  }

  /// Whether a get must skip a level (`nil` means no), and whether the key counts as absent there. If
  /// only other keys with the same hash are hidden, the get may read the level. No write reaches a
  /// read-only level, so its values are never hidden.
  func isAbsent(_ key: Key, _ hash: Int, at level: Int) -> Bool? {
    guard !members[level].isReadOnly, let isAbsent = order.isHidden(hash, in: level) else {
      return nil
    }
    let isOther = !order.owners(hash, in: level).isEmpty && owners(hash, of: key, at: level).isEmpty
    return isOther ? nil : isAbsent
  }

  /// Removes a key from the levels that owe its removal, if no other operation of the key is in
  /// flight. Removes all keys if `hash` is `nil`. Returns the answers of those levels.
  @discardableResult
  func repair(_ hash: Int?, in only: Int? = nil) -> [Promise<Void>] {
    guard !order.isQuiet, let due = order.update({ $0.calls.repair(hash, in: only) }) else {
      return []
    }
    var write = SumWrite<Key>(ticket: due.ticket, key: nil, hash: hash, removed: [])
    let joint = Joint(of: due.levels.count)
    let answers = due.levels.map { level, owners in
      let (cache, keys) = (
        members[level].cache, owners.compactMap { unsafeDowncast($0, to: KeyBox<Key>.self).key }
      )
      return hash == nil ? cache.clear() : .joint(keys.map(cache.remove))
    }
    for ((level, owners), answer) in zip(due.levels, answers) {
      write.removed = owners
      follow(answer, of: write, at: level, joint)
    }
    var next = leave(write, .repair)
    while let write = next { next = write.run() }
    return answers
  }
}

extension CallOrder.Answer {
  var isSuccess: Bool { if case .success = self { true } else { false } }
  var isFailure: Bool { if case .failure(isRefusal: false) = self { true } else { false } }
}

extension CacheMetadata.Member {
  /// What an outcome of a write means for the order. `nil` is a late answer.
  func answer(_ outcome: Promise<Void>.Outcome?) -> CallOrder.Answer {
    switch outcome {
    case nil: .late
    case .success: .success
    case _ where isSum: .success  // The sum has hidden the key itself.
    case .failure(CacheError.circuitOpen): .failure(isRefusal: true)
    case .failure, .cancelled: .failure(isRefusal: false)
    }
  }
}

import StrataVerbs

/// Finds gets that return a value at or after its deadline.
@Sendable func complaintOfTheDead(_ facts: ArraySlice<LifeFact>) -> String? {
  guard let fact = facts.last, case .get(let key) = fact.step, case .value(let value) = fact.answer
  else { return nil }
  let entries = fact.before.compactMap { $0[key] }.filter { $0.value == value }
  let isAlive = entries.contains { $0.expiresAt.map { fact.now < $0 } ?? true }
  return isAlive ? nil : "not found: \(value) has expired"
}

/// Finds values that are stored in both levels with different creation times or deadlines.
@Sendable func complaintOfAgesApart(_ facts: ArraySlice<LifeFact>) -> String? {
  guard let fact = facts.last else { return nil }
  for (key, entry) in fact.after[0] {
    if let other = fact.after[1][key], other.value == entry.value, other != entry {
      return "\(key) with the same age in both levels"
    }
  }
  return nil
}

/// Finds values whose deadline or creation time has moved to a later time.
@Sendable func complaintOfExtension() -> @Sendable (ArraySlice<LifeFact>) -> String? {
  { facts in
    guard let last = facts.last else { return nil }
    for entry in last.after.flatMap(\.values) {
      let first = facts.lazy.flatMap(\.after).flatMap(\.values).first { $0.value == entry.value }
      guard let first else { continue }
      let isLater = first.expiresAt.map { first in entry.expiresAt.map { $0 > first } ?? true }
      if isLater == true || entry.storedAt > first.storedAt {
        return "\(entry.value) with its original times"
      }
    }
    return nil
  }
}

/// Finds gets whose results don't match the entries in the upper level. This law uses only one
/// level.
@Sendable func complaintOfOtherAnswers(_ facts: ArraySlice<LifeFact>) -> String? {
  guard let fact = facts.last, case .get(let key) = fact.step else { return nil }
  let entry = fact.before[0][key]
  let isAlive = entry?.expiresAt.map { fact.now < $0 } ?? true
  let lawful = isAlive ? entry.map { LawObservation.Answer.value($0.value) } : nil
  let answer = lawful ?? .miss("not found")
  return fact.answer == answer ? nil : "\(answer)"
}

/// The reference implementation of a sum whose values expire, with which the law `time.definition`
/// compares `expiring(after:)`.
@Sendable func definedExpiry(_ context: LifeContext) -> Cache<Int, Int> {
  let (upper, lower, time) = (context.upper, context.lower, context.time)
  return Cache(
    get: { key in
      var entry = upper.get(key).outcome?.value
      if entry == nil, let below = lower.get(key).outcome?.value {
        _ = upper.set(key, below)
        entry = below
      }
      guard let entry, entry.expiresAt.map({ time.now() < $0 }) ?? true else {
        throw CacheError.notFound
      }
      return entry.value
    },
    set: { key, value in
      let entry = Stamped(
        value, storedAt: time.now(), expiresAt: time.now().advanced(by: context.lifetime))
      _ = lower.set(key, entry)
      _ = upper.set(key, entry)
    },
    remove: { key in
      _ = lower.remove(key)
      _ = upper.remove(key)
    },
    clear: {
      _ = lower.clear()
      _ = upper.clear()
    })
}

/// The reference implementation of a sum of two levels with separate age limits, with which the law
/// `time.bound` compares `aged(atMost:)`.
@Sendable func definedBounds(_ context: LifeContext) -> Cache<Int, Int> {
  let (upper, lower, time) = (context.upper, context.lower, context.time)
  @Sendable func young(
    _ level: Cache<Int, Stamped<Int>>, _ key: Int, _ bound: Duration
  ) -> Stamped<Int>? {
    guard let entry = level.get(key).outcome?.value,
      entry.expiresAt.map({ time.now() < $0 }) ?? true,
      entry.storedAt.duration(to: time.now()) < bound
    else { return nil }
    return entry
  }
  return Cache(
    get: { key in
      if let entry = young(upper, key, context.bounds[0]) { return entry.value }
      guard let below = young(lower, key, context.bounds[1]) else { throw CacheError.notFound }
      _ = upper.set(key, below)
      return below.value
    },
    set: { key, value in
      _ = lower.set(key, Stamped(value, storedAt: time.now()))
      _ = upper.set(key, Stamped(value, storedAt: time.now()))
    },
    remove: { key in
      _ = lower.remove(key)
      _ = upper.remove(key)
    },
    clear: {
      _ = lower.clear()
      _ = upper.clear()
    })
}

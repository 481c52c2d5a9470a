import Strata

/// An answer at or past the deadline of its entry.
@Sendable func complaintOfTheDead(_ facts: ArraySlice<LifeFact>) -> String? {
  guard let fact = facts.last, case .get(let key) = fact.step, case .value(let value) = fact.answer
  else { return nil }
  let entries = fact.before.compactMap { $0[key] }.filter { $0.value == value }
  let isAlive = entries.contains { $0.expiresAt.map { fact.now < $0 } ?? true }
  return isAlive ? nil : "not found: \(value) is dead"
}

/// Levels that hold one value with two ages.
@Sendable func complaintOfAgesApart(_ facts: ArraySlice<LifeFact>) -> String? {
  guard let fact = facts.last else { return nil }
  for (key, entry) in fact.after[0] {
    if let other = fact.after[1][key], other.value == entry.value, other != entry {
      return "\(key) of one age in both levels"
    }
  }
  return nil
}

/// A value whose deadline or birth is later than it was.
@Sendable func complaintOfExtension() -> @Sendable (ArraySlice<LifeFact>) -> String? {
  { facts in
    guard let last = facts.last else { return nil }
    for entry in last.after.flatMap(\.values) {
      let first = facts.lazy.flatMap(\.after).flatMap(\.values).first { $0.value == entry.value }
      guard let first else { continue }
      let isLater = first.expiresAt.map { first in entry.expiresAt.map { $0 > first } ?? true }
      if isLater == true || entry.storedAt > first.storedAt {
        return "\(entry.value) with the age it had"
      }
    }
    return nil
  }
}

/// An answer that is not what the entry of a single level says.
@Sendable func complaintOfOtherAnswers(_ facts: ArraySlice<LifeFact>) -> String? {
  guard let fact = facts.last, case .get(let key) = fact.step else { return nil }
  let entry = fact.before[0][key]
  let isAlive = entry?.expiresAt.map { fact.now < $0 } ?? true
  let lawful = isAlive ? entry.map { Observation.Answer.value($0.value) } : nil
  let answer = lawful ?? .miss("not found")
  return fact.answer == answer ? nil : "\(answer)"
}

/// Expiry over a sum in the plainest words.
@Sendable func definedExpiry(_ setting: LifeSetting) -> Cache<Int, Int> {
  let (upper, lower, time) = (setting.upper, setting.lower, setting.time)
  return Cache(
    get: { key in
      var entry = upper.get(key).outcome?.value
      if entry == nil, let below = lower.get(key).outcome?.value {
        upper.set(below, for: key)
        entry = below
      }
      guard let entry, entry.expiresAt.map({ time.now() < $0 }) ?? true else {
        throw CacheError.notFound
      }
      return entry.value
    },
    set: { key, value in
      let entry = Stamped(
        value, storedAt: time.now(), expiresAt: time.now().advanced(by: setting.lifetime))
      lower.set(entry, for: key)
      upper.set(entry, for: key)
    },
    remove: { key in
      lower.removeValue(for: key)
      upper.removeValue(for: key)
    },
    clear: {
      lower.removeAll()
      upper.removeAll()
    })
}

/// Two levels with bounds of their own, in the plainest words.
@Sendable func definedBounds(_ setting: LifeSetting) -> Cache<Int, Int> {
  let (upper, lower, time) = (setting.upper, setting.lower, setting.time)
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
      if let entry = young(upper, key, setting.bounds[0]) { return entry.value }
      guard let below = young(lower, key, setting.bounds[1]) else { throw CacheError.notFound }
      upper.set(below, for: key)
      return below.value
    },
    set: { key, value in
      lower.set(Stamped(value, storedAt: time.now()), for: key)
      upper.set(Stamped(value, storedAt: time.now()), for: key)
    },
    remove: { key in
      lower.removeValue(for: key)
      upper.removeValue(for: key)
    },
    clear: {
      lower.removeAll()
      upper.removeAll()
    })
}

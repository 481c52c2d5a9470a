import Synchronization

/// The load of a `reloading` get. Until the load ends, no back-fill of its key begins, so no older
/// value is stored. The value of this load is written like the value of a `set`, unless another
/// write to the key has begun in the meantime.
@usableFromInline
final class SumLoad: Sendable {
  private let isOver = Atomic(false)

  /// Ends the load. Returns `false` if it had already ended.
  func end() -> Bool {
    isOver.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
  }
}

extension Sum {
  /// Reads the levels, and stores the value in every level except the one that returned it. The
  /// levels themselves skip their stored values.
  func reload(_ key: Key) -> Promise<Value> {
    if peeks { return peek(key) }
    let hash = hash(of: key)
    let load = { @Sendable () -> Promise<Value> in
      let load = SumLoad()
      let descent = Descent(key, hash, since: self.order.beginLoad(hash), load)
      let answer = self.descend(descent, self.next(descent, 0), at: 0, nil)
      if case .success = answer.state { return answer }
      return answer.observed { [order = self.order] outcome in
        if outcome.value == nil, load.end() { order.endLoad(hash, since: descent.version) }
      }
    }
    return order.turn(ofGet: hash)?.flatMap(load) ?? load()
  }

  /// Stores the value of a `reloading` get in every level except the one that returned it.
  @usableFromInline
  func replace(
    by value: Value, from level: Int, _ descent: Descent, _ load: SumLoad, _ failures: SumFailures?
  ) {
    guard load.end() else { return }
    guard members.count > 1, descent.epoch == LoadEpoch.ofFills else {
      return order.endLoad(descent.hash, since: descent.version)
    }
    let key = descent.key
    write(key, endingLoad: descent.version) { [self] _, other in
      guard other != level, !members[other].isReadOnly else { return Promise() }
      if let cache = replacing(other, with: failures?.tickets) { return fill(cache, key, value) }
      // Without a ticket, the level isn't written. If its value may be outdated, it's removed.
      return order.skip(descent.hash, in: other) == nil
        ? Promise() : members[other].cache.remove(key)
    }
  }

  /// Calls an origin that isn't a level, and stores its value in every level.
  package func reload(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let hash = hash(of: key)
    let (version, epoch) = (order.beginLoad(hash), LoadEpoch.current)
    return get(key).observed { [self] outcome in
      // A removed tag, or a removal of several keys, may concern the value.
      guard case .success(let value) = outcome, epoch == LoadEpoch.current else {
        return order.endLoad(hash, since: version)
      }
      write(key, endingLoad: version) { cache, _ in cache.set(key, value) }
    }
  }

  /// The cache into which a `reloading` get writes, or `nil` if the level's ticket is missing.
  private func replacing(_ level: Int, with tickets: SumTickets?) -> Cache<Key, Value>? {
    members[level].tickets == nil ? members[level].cache : filling(level, with: tickets)
  }

  /// Reads the levels without a back-fill, a ticket, or a repair.
  func peek(_ key: Key) -> Promise<Value> {
    let hash = hash(of: key)
    let read = { @Sendable in self.peek(key, hash, from: 0) }
    return order.turn(ofGet: hash)?.flatMap(read) ?? read()
  }

  /// - Parameter answer: The answer of the first level, if it has been read.
  @usableFromInline
  func peek(
    _ key: Key, _ hash: Int, from first: Int, _ answer: Promise<Value>? = nil,
    _ failures: SumFailures? = nil
  ) -> Promise<Value> {
    var failures = failures
    for level in first..<members.count where isAbsent(key, hash, at: level) == nil {
      let begun = level == first ? answer : nil
      let answer = begun ?? members[level].cache.get(key)
      guard answer.isReady else {
        return bounded(answer, key, at: level).flatMapOutcome { [failures] outcome in
          guard case .failure(let failure) = outcome else { return Promise(outcome: outcome) }
          return self.peek(
            key, hash, from: level + 1, nil, self.adding(failure, of: level, to: failures))
        }
      }
      guard case .failure(let failure)? = answer.outcome else { return answer }
      failures = adding(failure, of: level, to: failures)
    }
    return Promise(error: failures?.error ?? plainMiss)
  }
}

extension Sum {
  /// Reads the uppermost level if its values are in memory, or fails without a trace. A `get`
  /// begins in the same way.
  var hit: (@Sendable (Key) -> Promise<Value>)? {
    guard probes.isEmpty, let hit = top.metadata.properties.hit else { return nil }
    return { [order] key in order.isTopQuiet ? hit(key) : .miss }
  }
}

extension SumOrder {
  /// Begins a load whose value replaces the stored ones. After that, older loads of the key store
  /// nothing, and no back-fill of the key begins before this load has ended.
  package func beginLoad(_ hash: Int) -> Ticket { update { $0.calls.versions.beginLoad(hash) } }

  /// Ends a load without a value.
  package func endLoad(_ hash: Int, since version: Ticket) {
    update { _ = $0.calls.versions.endLoad(hash, since: version) }
  }

  /// Outdates all loads that have begun, so they store nothing.
  package func outdateLoads() { update { _ = $0.calls.versions.change(nil) } }
}

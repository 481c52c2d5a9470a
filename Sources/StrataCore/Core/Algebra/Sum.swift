import Synchronization

/// The implementation of `+`: a list of levels, with the uppermost level first.
///
/// A get reads the levels in a loop, so ten thousand levels need no more stack than two. A hit in
/// the first level takes the same time in `(a + b) + c` as in `a + (b + c)`.
@usableFromInline
package final class Sum<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline package typealias Member = CacheMetadata<Key, Value>.Member
  @usableFromInline package typealias Ticket = SumOrder.Ticket

  @usableFromInline let top: Cache<Key, Value>
  @usableFromInline package let members: [Member]
  @usableFromInline package let order: SumOrder
  @usableFromInline let hash = KeyHash.ofProcess
  /// The clock for the time bounds of operations.
  let clock: TimeSource
  @usableFromInline let reporter: Reporter?
  /// Whether at least one level accepts back-fills only with a ticket.
  @usableFromInline let hasTickets: Bool
  /// The lowest level that may return a value.
  let lowest: Int
  /// A probe for each level, for a get with provenance. For gets without provenance, the array is
  /// empty.
  let probes: [GetProbe]
  /// Whether gets leave no trace.
  @usableFromInline let peeks: Bool

  package init(
    _ members: [Member], order: SumOrder, clock: TimeSource, reporter: Reporter?,
    _ probes: [GetProbe] = [], peeks: Bool = false
  ) {
    (self.probes, self.peeks) = (probes, peeks)
    (self.members, self.order, self.clock, self.reporter) = (members, order, clock, reporter)
    top = members[0].cache
    hasTickets = members.contains { $0.tickets != nil }
    lowest = members.lastIndex { !$0.cache.metadata.properties.isSkipped } ?? 0
  }

  /// Reads the levels one after another, starting with the uppermost level.
  @inlinable
  package func get(_ key: Key) -> Promise<Value> {
    let word = order.word.load(ordering: .acquiring)
    guard word & 1 == 0 else { return getInOrder(key) }
    let answer = top.get(key)
    if case .success = answer.state { return answer }
    return getBelow(key, answer, since: word >> 2)
  }

  /// Waits until the earlier writes of the key have called the levels, and then reads the levels.
  @usableFromInline
  func getInOrder(_ key: Key) -> Promise<Value> {
    if peeks { return peek(key) }
    let hash = hash(of: key)
    let get = { @Sendable () -> Promise<Value> in
      let descent = Descent(key, hash, since: self.order.word.load(ordering: .acquiring) >> 2)
      return self.descend(descent, self.read(key, hash, at: 0), at: 0, nil)
    }
    return order.turn(ofGet: hash)?.flatMap(get) ?? get()
  }

  /// Continues a get with `answer`, which is the uppermost level's answer. When `answer` is
  /// pending, the get waits for it. When `answer` is a failure, the get reads the lower levels.
  @inlinable
  func getBelow(_ key: Key, _ answer: Promise<Value>, since version: Ticket) -> Promise<Value> {
    var answer = answer
    if peeks { return peek(key, hash(of: key), from: 0, answer) }
    answer.storeOutcome()
    if case .success = answer.state { return answer }
    return descend(Descent(key, hash(of: key), since: version), answer, at: 0, nil)
  }

  /// A get that continues below the uppermost level. It doesn't back-fill if its key has been
  /// written since `version`.
  @usableFromInline
  struct Descent: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let hash: Int
    @usableFromInline let version: Ticket
    @usableFromInline let epoch = LoadEpoch.ofFills
    @usableFromInline var isWatched = false
    /// The load of a `reloading` get.
    @usableFromInline let load: SumLoad?

    @inlinable
    init(_ key: Key, _ hash: Int, since version: Ticket, _ load: SumLoad? = nil) {
      (self.key, self.hash, self.version, self.load) = (key, hash, version, load)
    }
  }

  /// Processes `answer`, which `level` returned for a get. When `answer` is a failure, reads the
  /// lower levels one after another until a level doesn't fail. `failures` contains the failures of
  /// the levels above `level`.
  @inlinable
  func descend(
    _ descent: Descent, _ answer: Promise<Value>, at level: Int, _ failures: SumFailures?
  ) -> Promise<Value> {
    var (answer, level, failures) = (answer, level, failures)
    answer.storeOutcome()
    while case .failure(let failure) = answer.state {
      if hasTickets, let result = takingTicket(descent, at: level, after: failure, failures) {
        return result
      }
      if !isPlainMiss(failure) { failures = adding(failure, of: level, to: failures) }
      level += 1
      guard level < members.count else { return failures.map { miss(descent, $0) } ?? answer }
      answer = next(descent, level)
      answer.storeOutcome()
    }
    if case .success(let value) = answer.state {
      if reporter != nil { noteAnswer(of: level) }
      if let load = descent.load {
        replace(by: value, from: level, descent, load, failures)
      } else {
        backFill(value, above: level, descent, failures)
      }
    }
    return answer.isReady ? answer : wait(descent, for: answer, at: level, failures)
  }

  /// Reads the next level.
  @inlinable
  func next(_ descent: Descent, _ level: Int) -> Promise<Value> {
    order.isQuiet
      ? members[level].cache.get(descent.key) : read(descent.key, descent.hash, at: level)
  }

  /// Continues a get when a level's answer arrives.
  @usableFromInline
  func wait(
    _ descent: Descent, for answer: Promise<Value>, at level: Int, _ failures: SumFailures?
  ) -> Promise<Value> {
    var descent = descent
    let work = descent.isWatched ? nil : order.work.begin()
    let begins = !descent.isWatched && order.watch(descent.hash, since: descent.version)
    if begins { descent.isWatched = true }
    let start = members[level].tickets == nil ? nil : clock.now()
    let result = bounded(answer, descent.key, at: level).flatMapOutcome {
      [descent] outcome -> Promise<Value> in
      if case .failure(let failure) = outcome,
        let result = self.takingTicket(
          descent, at: level, after: failure, failures, since: start)
      {
        return result
      }
      return self.descend(descent, Promise(outcome: outcome), at: level, failures)
    }
    guard begins || work != nil else { return result }
    return result.observed { [order, descent] _ in
      if begins { order.unwatch(descent.hash) }
      if let work { order.work.end(work) }
    }
  }

  /// Limits the time for which a get waits for one level.
  func bounded<Answer>(
    _ answer: Promise<Answer>, _ key: Key, at level: Int
  ) -> Promise<Answer> {
    guard let bound = members[level].getBound else { return answer }
    return answer.timeout(after: bound, clock: clock) { self.timedOut(at: level, bound, key) }
  }

  /// Returns the error for an operation that hasn't settled within the level's time bound.
  func timedOut(at level: Int, _ bound: Duration, _ key: Key?) -> any Error {
    CacheError.timedOut(
      stage: members[level].stage, after: bound, key: key.map { shortened($0) })
  }

  /// Reads a level. If the level's value may be outdated, begins to remove this value instead, and
  /// returns a failure.
  @usableFromInline
  func read(_ key: Key, _ hash: Int, at level: Int) -> Promise<Value> {
    guard let isAbsent = isAbsent(key, hash, at: level) else {
      return members[level].cache.get(key)
    }
    let removal = repair(hash, in: level).first ?? repair(nil, in: level).first
    if case .failure(let error)? = removal?.outcome, !error.isMiss { return Promise(error: error) }
    guard !isAbsent, removal?.outcome?.value == nil else { return .miss }
    return Promise(
      error: CacheError.unsettled(stage: members[level].stage, key: shortened(key)))
  }

  @inlinable
  package func hash(of key: Key) -> Int { Int(truncatingIfNeeded: hash(key)) }
}

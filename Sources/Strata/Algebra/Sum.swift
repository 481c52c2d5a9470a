import Synchronization

/// Levels one above another, as many as there are: what `+` makes.
///
/// The levels lie in an array and a get goes down in a loop, so ten thousand of them need no more
/// stack than two, and a hit in the first costs the same however the sum was bracketed.
@usableFromInline
final class Sum<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline typealias Member = Spine<Key, Value>.Member

  @usableFromInline let top: Cache<Key, Value>
  @usableFromInline let members: [Member]
  @usableFromInline let ledger: SharedLedger
  let reporter: Reporter?

  init(_ members: [Member], top: Cache<Key, Value>, ledger: SharedLedger, reporter: Reporter?) {
    self.members = members
    self.top = top
    self.ledger = ledger
    self.reporter = reporter
  }

  /// Asks the levels one after another, the upper-most first.
  @inlinable
  func get(_ key: Key) -> Promise<Value> {
    let seen = ledger.word.load(ordering: .acquiring)
    if seen & 1 == 0 {
      let answer = top.get(key)
      if case .settled(.success) = answer.state { return answer }
      return getBelow(key, answer, seen: seen >> 1)
    }
    return getBehindWrites(key)
  }

  /// Waits for the writes called before, and not for those that come meanwhile.
  @usableFromInline
  func getBehindWrites(_ key: Key) -> Promise<Value> {
    let getNow: @Sendable () -> Promise<Value> = {
      let seen = self.ledger.word.load(ordering: .acquiring)
      return self.getBelow(key, self.top.get(key), seen: seen >> 1)
    }
    return gate(level: 0, key.hashValue)?.flatMap(getNow) ?? getNow()
  }

  /// Asks further down as long as levels answer at once that they have nothing: it allocates nothing.
  @inlinable
  func getBelow(_ key: Key, _ answer: Promise<Value>, seen: UInt) -> Promise<Value> {
    if case .success? = answer.outcome { return answer }
    let hash = key.hashValue
    let entry = ledger.enter(hash, seen: seen)
    var (answer, level, error) = (answer, 0, nil as (any Error)?)
    while case .settled(.failure(let failure)) = answer.state,
      ledger.word.load(ordering: .acquiring) & 1 == 0
    {
      let combined = error.map { outranking(upper: $0, lower: failure) } ?? failure
      level += 1
      guard level < members.count else {
        if let entry { ledger.leave(entry) }
        return Promise(error: combined)
      }
      error = combined
      answer = members[level].cache.get(key)
    }
    return descend(key, hash, entry, answer, at: level, error)
  }

  @usableFromInline
  func descend(
    _ key: Key, _ hash: Int, _ entry: Ledger.Entry?, _ answer: Promise<Value>, at level: Int,
    _ error: (any Error)?
  ) -> Promise<Value> {
    let result = descend(Descent(key: key, hash: hash, entry: entry), answer, at: level, error)
    guard let entry else { return result }
    return result.observed { [ledger] _ in ledger.leave(entry) }
  }

  private struct Descent: Sendable {
    let key: Key
    let hash: Int
    let entry: Ledger.Entry?
  }

  /// Goes down from a level's answer; `error` is what the levels above have said together.
  private func descend(
    _ descent: Descent, _ answer: Promise<Value>, at level: Int, _ error: (any Error)?
  ) -> Promise<Value> {
    var (answer, level, error) = (answer, level, error)
    while true {
      switch answer.outcome {
      case .success(let value):
        backFill(value, above: level, descent)
        return Promise(value)
      case .cancelled:
        return .cancelled
      case .failure(let failure):
        let combined = error.map { outranking(upper: $0, lower: failure) } ?? failure
        level += 1
        guard level < members.count else { return Promise(error: combined) }
        if let gate = gate(level: level, descent.hash) {
          return gate.flatMap { [level] in
            self.descend(descent, self.members[level].cache.get(descent.key), at: level, combined)
          }
        }
        error = combined
        answer = members[level].cache.get(descent.key)
      case nil:
        return answer.flatMapOutcome { [level, error] outcome in
          self.descend(descent, Promise(outcome: outcome), at: level, error)
        }
      }
    }
  }

  /// A promise kept when the writes of the key that wait at a level have settled; `nil` without any.
  private func gate(level: Int, _ hash: Int) -> Promise<Void>? {
    guard ledger.word.load(ordering: .acquiring) & 1 == 1 else { return nil }
    let gate = Pending<Void>()
    let visit = ledger.update { $0.visit(level: level, hash) { gate.settle(.success(())) } }
    guard let visit else { return nil }
    gate.stop(at: 1) { [ledger] in _ = ledger.update { $0.leave(level: level, visit) } }
    return Promise(.pending(gate))
  }

  /// Starts to write a value found below into the levels above, unless a write has overtaken the get.
  private func backFill(_ value: Value, above level: Int, _ descent: Descent) {
    guard level > 0, let entry = descent.entry else { return }
    let (key, hash) = (descent.key, descent.hash)
    let starts = ledger.update { ledger -> [Turns.Work] in
      guard ledger.isValid(entry) else { return [] }
      return (0..<level).compactMap { upper in
        guard !members[upper].cache.spine.isReadOnly else { return nil }
        return ledger.take(level: upper, hash, isBackFill: true) { turn in
          {
            let start = self.reporter?.now()
            self.perform(upper, turn, hash) {
              $0.set(key, value)
            } then: { outcome in
              self.reporter?.report(
                .backFill, key, since: start, outcome, bytes: CacheEvent.bytes(of: value))
            }
          }
        }
      }
    }
    for start in starts { start() }
  }

  /// Gives a write to every level, each in its turn; `hash` is `nil` for a write of all keys.
  ///
  /// The lowest level first: what is seen above and evicted there is found beneath already.
  func write(
    _ hash: Int?, _ operation: @escaping @Sendable (Cache<Key, Value>) -> Promise<Void>
  ) -> Promise<Void> {
    let joint = JointWrite(of: members.count)
    let starts = ledger.update { ledger in
      ledger.beginWrite(hash)
      return members.indices.compactMap { level in
        ledger.take(level: level, hash) { turn in
          {
            self.perform(level, turn, hash, operation) { outcome in
              guard joint.note(outcome, of: level) else { return }
              self.ledger.update { $0.endWrite(hash) }
              joint.settle()
            }
          }
        }
      }
    }
    for start in starts.reversed() { start() }
    return joint.promise
  }

  /// Does one thing at one level, and lets the next one have its turn when it has settled.
  private func perform(
    _ level: Int, _ turn: Int, _ hash: Int?,
    _ operation: @Sendable (Cache<Key, Value>) -> Promise<Void>,
    then end: @escaping @Sendable (Promise<Void>.Outcome) -> Void
  ) {
    operation(members[level].cache).observed { outcome in
      let next = self.ledger.update { $0.finish(level: level, turn, hash) }
      end(outcome)
      next.begin()
    }
  }
}

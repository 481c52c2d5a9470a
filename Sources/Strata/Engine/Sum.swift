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
  @usableFromInline let hash = KeyHash.ofProcess
  @usableFromInline let reporter: Reporter?

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
    guard seen & 1 == 0 else { return getBehindWrites(key) }
    let answer = top.get(key)
    if case .success = answer.state { return answer }
    return getBelow(key, answer, seen: seen >> 1)
  }

  /// Waits for the writes called before, and not for those that come meanwhile.
  @inlinable
  func getBehindWrites(_ key: Key) -> Promise<Value> {
    let getNow: @Sendable () -> Promise<Value> = {
      let seen = self.ledger.word.load(ordering: .acquiring)
      return self.getBelow(key, self.top.get(key), seen: seen >> 1)
    }
    return gate(level: 0, hash(of: key))?.flatMap(getNow) ?? getNow()
  }

  /// Goes on after an answer of the upper-most level that is not there yet, or no value.
  @inlinable
  func getBelow(_ key: Key, _ answer: Promise<Value>, seen: UInt) -> Promise<Value> {
    var answer = answer
    answer.look()
    if case .success = answer.state { return answer }
    let hash = hash(of: key)
    let entry = ledger.enter(hash, seen: seen)
    let result = descend(Descent(key, hash, entry), answer, at: 0, nil)
    guard let entry else { return result }
    guard result.isReady else { return result.observed { [ledger] _ in ledger.leave(entry) } }
    ledger.leave(entry)
    return result
  }

  /// A get that looks below the upper-most level; without an entry it fills in nothing above.
  @usableFromInline
  struct Descent: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let hash: Int
    @usableFromInline let entry: Ledger.Entry?

    @inlinable
    init(_ key: Key, _ hash: Int, _ entry: Ledger.Entry?) {
      (self.key, self.hash, self.entry) = (key, hash, entry)
    }
  }

  /// Goes down from a level's answer; `error` is what the levels above have said together, but for
  /// plain misses, which add nothing.
  @inlinable
  func descend(
    _ descent: Descent, _ answer: Promise<Value>, at level: Int, _ error: (any Error)?
  ) -> Promise<Value> {
    var (answer, level, error) = (answer, level, error)
    while case .failure(let failure) = answer.state {
      if !isPlainMiss(failure) { error = outranking(upper: error, lower: failure) }
      level += 1
      guard level < members.count else { return error.map { Promise(error: $0) } ?? answer }
      if let gate = gate(level: level, descent.hash) {
        return descend(descent, behind: gate, to: level, error)
      }
      answer = members[level].cache.get(descent.key)
      answer.look()
    }
    if case .success(let value) = answer.state { backFill(value, above: level, descent) }
    if answer.isReady { return answer }
    return answer.flatMapOutcome { [level, error] outcome in
      self.descend(descent, Promise(outcome: outcome), at: level, error)
    }
  }

  /// Goes down to a level when the writes of the key that wait there have settled.
  @inlinable
  func descend(
    _ descent: Descent, behind gate: Promise<Void>, to level: Int, _ error: (any Error)?
  ) -> Promise<Value> {
    gate.flatMap {
      self.descend(descent, self.members[level].cache.get(descent.key), at: level, error)
    }
  }

  /// A promise kept when the writes of the key that wait at a level have settled; `nil` without
  /// any.
  @inlinable
  func gate(level: Int, _ hash: Int) -> Promise<Void>? {
    guard ledger.word.load(ordering: .acquiring) & 1 == 1 else { return nil }
    return ledger.gate(level: level, hash)
  }

  /// Starts to write a value found below into the levels above, unless a write has overtaken the
  /// get.
  @inlinable
  func backFill(_ value: Value, above level: Int, _ descent: Descent) {
    guard let entry = descent.entry else { return }
    for upper in 0..<level where !members[upper].cache.spine.isReadOnly {
      guard let turn = ledger.takeBackFill(entry, level: upper) else { continue }
      let start = reporter?.now()
      let write = members[upper].cache.set(descent.key, value)
      if write.isReady, reporter == nil {  // Most often: then no closure is made for the end of it.
        ledger.finish(level: upper, turn, entry.hash).begin()
      } else {
        finish(write, of: value, turn, at: upper, descent, since: start)
      }
    }
  }

  /// Ends the turn of a back-fill when that has settled.
  @usableFromInline
  func finish(
    _ write: Promise<Void>, of value: Value, _ turn: Int, at level: Int, _ descent: Descent,
    since start: Reporter.Start?
  ) {
    write.observed { outcome in
      let next = self.ledger.finish(level: level, turn, descent.hash)
      self.reporter?.report(
        .backFill, descent.key, since: start, outcome, bytes: CacheEvent.bytes(of: value))
      next.begin()
    }
  }

  @inlinable
  func hash(of key: Key) -> Int { Int(truncatingIfNeeded: hash(key)) }

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
      let next = self.ledger.finish(level: level, turn, hash)
      end(outcome)
      next.begin()
    }
  }
}

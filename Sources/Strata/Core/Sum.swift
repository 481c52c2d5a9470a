import Synchronization

/// The implementation of `+`: a list of levels, with the uppermost level first.
///
/// A get reads the levels in a loop, so ten thousand levels need no more stack than two levels. A
/// hit in the first level takes the same time for `(a + b) + c` and `a + (b + c)`.
@usableFromInline
final class Sum<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline typealias Member = CacheMetadata<Key, Value>.Member

  @usableFromInline let top: Cache<Key, Value>
  @usableFromInline let members: [Member]
  @usableFromInline let order: OperationOrder
  @usableFromInline let hash = KeyHash.ofProcess
  /// The clock for the time bounds of operations.
  let clock: TimeSource
  @usableFromInline let reporter: Reporter?

  /// Whether a get that misses can return the leases of this sum's levels in a `LeasedMiss`. An
  /// enclosing sum also back-fills this sum's levels, and some levels accept a back-fill only with a
  /// lease.
  private let isLeasing: Bool

  init(
    _ members: [Member], order: OperationOrder, clock: TimeSource, reporter: Reporter?,
    isLeasing: Bool
  ) {
    self.members = members
    self.order = order
    self.clock = clock
    self.reporter = reporter
    self.isLeasing = isLeasing
    top = members[0].reader
  }

  /// Reads the levels one after another, starting with the uppermost level.
  @inlinable
  func get(_ key: Key) -> Promise<Value> {
    let seen = order.word.load(ordering: .acquiring)
    guard seen & 1 == 0 else { return getBehindWrites(key) }
    let answer = top.get(key)
    if case .success = answer.state { return answer }
    return getBelow(key, answer, seen: seen >> 1)
  }

  /// Waits for earlier writes to the key, but not for later writes, and then reads the levels.
  @usableFromInline
  func getBehindWrites(_ key: Key) -> Promise<Value> {
    let hash = hash(of: key)
    let get = { @Sendable (start: TimeSource.Instant?) in
      let seen = self.order.word.load(ordering: .acquiring)
      var answer = self.read(key, hash, at: 0)
      if let start { answer = self.bounded(answer, key, at: 0, since: start) }
      return self.getBelow(key, answer, seen: seen >> 1)
    }
    guard !order.isUnknown(hash), let writes = order.wait(hash, queue: 0) else { return get(nil) }
    let start = clock.now()
    return writes.flatMap { get(start) }
  }

  /// Limits the time that a get waits for one level. By default, a level with an origin has no
  /// limit, because a load may take a long time.
  ///
  /// - Parameter start: The time at which the get started waiting for writes, or `nil` if the get
  ///   didn't wait.
  @usableFromInline
  func bounded(
    _ answer: Promise<Value>, _ key: Key, at level: Int, since start: TimeSource.Instant? = nil
  ) -> Promise<Value> {
    guard members[level].boundsGets else { return answer }
    let rest = members[level].bound - (start?.duration(to: clock.now()) ?? .zero)
    return answer.timeout(after: rest, clock: clock) { self.timedOut(at: level, key) }
  }

  /// Continues a get with `answer`, which is the uppermost level's answer. If `answer` is pending,
  /// the get waits for it. If `answer` is a failure, the get reads the lower levels.
  @inlinable
  func getBelow(_ key: Key, _ answer: Promise<Value>, seen: UInt) -> Promise<Value> {
    var answer = answer
    answer.storeOutcome()
    if case .success = answer.state { return answer }
    let get = order.get(hash(of: key), seen: seen)
    return descend(Descent(key, get), answer, at: 0, nil)
  }

  /// A get that continues below the uppermost level. The get doesn't back-fill if a write to its
  /// key has begun or ended since the get started.
  @usableFromInline
  struct Descent: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let get: WriteTracker.Get

    @inlinable
    init(_ key: Key, _ get: WriteTracker.Get) { (self.key, self.get) = (key, get) }
  }

  /// Processes `answer`, which `level` returned for a get. If `answer` is a failure, reads the
  /// lower levels one after another until a level doesn't fail. `failures` contains the failures of
  /// the levels above `level`.
  @inlinable
  func descend(
    _ descent: Descent, _ answer: Promise<Value>, at level: Int, _ failures: SumFailures?
  ) -> Promise<Value> {
    var (answer, level, failures) = (answer, level, failures)
    while case .failure(let failure) = answer.state {
      if members[level].isLeasing, let claimed = claimed(descent, at: level, after: failure) {
        answer = claimed
        answer.storeOutcome()
        continue
      }
      if !isPlainMiss(failure) { failures = .adding(failure, of: level, to: failures) }
      level += 1
      guard level < members.count else { return failures.map { miss(descent, $0) } ?? answer }
      answer =
        order.isQuiet
        ? members[level].reader.get(descent.key)
        : readBehindWrites(descent.key, descent.get.hash, at: level)
      answer.storeOutcome()
    }
    if case .success(let value) = answer.state { backFill(value, above: level, descent, failures) }
    return answer.isReady ? answer : wait(descent, for: answer, at: level, failures)
  }

  /// Continues a get when a level's answer arrives.
  @usableFromInline
  func wait(
    _ descent: Descent, for answer: Promise<Value>, at level: Int, _ failures: SumFailures?
  ) -> Promise<Value> {
    let begun = descent.get.hasBegun ? nil : order.begin(descent.get)
    let descent = Descent(descent.key, begun ?? descent.get)
    // The level may delay this get until an earlier write has settled. If an earlier write exceeds
    // its time bound while this get waits, the level's answer may be outdated.
    let late = descent.get.hasBegun ? nil : order.lateWrites(queue: level)
    let finish = { @Sendable (outcome: Promise<Value>.Outcome) -> Promise<Value> in
      let isOutdated =
        outcome.value != nil && late != nil && late != self.order.lateWrites(queue: level)
      let answer = isOutdated ? self.unsettled(descent.key, at: level) : Promise(outcome: outcome)
      return self.descend(descent, answer, at: level, failures)
    }
    let start = members[level].isLeasing ? clock.now() : nil
    let result = bounded(answer, descent.key, at: level).flatMapOutcome { outcome in
      guard let start, case .failure(let failure) = outcome,
        let claimed = self.claimed(descent, at: level, after: failure, since: start)
      else { return finish(outcome) }
      return claimed.flatMapOutcome(finish)
    }
    guard let begun else { return result }
    return result.observed { [order] _ in order.end(begun) }
  }

  /// Ends a get with an error. If a level has an outdated value and no lower level has a value,
  /// this function removes the outdated value.
  @usableFromInline
  func miss(_ descent: Descent, _ failures: SumFailures) -> Promise<Value> {
    let error = failures.error ?? plainMiss
    if let level = failures.outdatedLevel, error.isAbsence {
      backFill(level, descent, into: members[level].cache, reportingTo: nil, bytes: nil) {
        $0.remove(descent.key)
      }
    }
    guard isLeasing, error.isMiss, hasAll(failures.leases) else { return Promise(error: error) }
    return Promise(error: LeasedMiss(lease: failures.leases))
  }

  /// Starts writing a value into the levels above `level`, unless a write to the key has overtaken
  /// the get that read the value.
  @inlinable
  func backFill(_ value: Value, above level: Int, _ descent: Descent, _ failures: SumFailures?) {
    for upper in 0..<level
    where !members[upper].cache.metadata.isReadOnly && failures?.isHanging(upper) != true {
      guard reporter == nil, !members[upper].isLeasing else {
        fill(upper, value, descent, failures)
        continue
      }
      guard let id = order.beginBackFill(descent.get, queue: upper) else { continue }
      let write = members[upper].cache.set(descent.key, value)
      if case .success = write.state {  // The usual case, which needs no closure.
        let next = order.finish(id, of: descent.get.hash, queue: upper)
        if let removal = next.removal {
          repair(descent.key, descent.get.hash, at: upper, removal)
        }
        next.begin()
      } else {
        finish(write, id, at: upper, descent)
      }
    }
  }

  /// Back-fills a level. This function is called only if the level supports leases or the sum has a
  /// reporter.
  @usableFromInline
  func fill(_ level: Int, _ value: Value, _ descent: Descent, _ failures: SumFailures?) {
    guard let cache = members[level].filling(with: failures?.leases, of: level) else { return }
    let bytes = reporter == nil ? nil : CacheEvent.bytes(of: value)
    backFill(level, descent, into: cache, reportingTo: reporter, bytes: bytes) {
      $0.set(descent.key, value)
    }
  }

  /// Runs one back-fill, and reports it to `reporter`.
  private func backFill(
    _ level: Int, _ descent: Descent, into cache: Cache<Key, Value>,
    reportingTo reporter: Reporter?, bytes: Int?,
    _ write: (Cache<Key, Value>) -> Promise<Void>
  ) {
    guard let id = order.beginBackFill(descent.get, queue: level) else { return }
    let start = reporter?.now()
    let write = write(cache)
    if let reporter {
      write.observed {
        reporter.report(.backFill, descent.key, since: start, $0, bytes: bytes)
      }
    }
    finish(write, id, at: level, descent)
  }

  @inlinable
  func hash(of key: Key) -> Int { Int(truncatingIfNeeded: hash(key)) }
}

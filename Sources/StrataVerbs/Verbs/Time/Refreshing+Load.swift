/// The slow path of a refreshed cache's get, for a value that is absent or not fresh.
@usableFromInline
struct Refreshing<Key: Hashable & Sendable, Plain: Sendable>: Sendable {
  let look: @Sendable (Key) -> Promise<Stamped<Plain>>
  let load: @Sendable (Key) -> Promise<Plain>
  let running: Refreshes
  let freshness: @Sendable (Key, Plain) -> Freshness
  /// The freshness that determines the pauses of keys without a value, if it's known.
  let usual: Freshness?
  let clock: TimeSource
  /// The order of the sum of the levels and the fetcher. Gets read the levels directly, but only if
  /// this order allows it.
  @usableFromInline let order: SumOrder
  /// The times of all calls of `expireAll()`, and the last one. Values that aren't newer are stale.
  let marks: StaleMarks
  @usableFromInline let expired: NewestMark
  /// Limits the time that a get waits for the levels.
  let limit: @Sendable (Promise<Stamped<Plain>>, Key) -> Promise<Stamped<Plain>>
  /// Reports the gets that return a stale value, and contains the probe of the loads.
  let reporter: Reporter?
  let loadProbe: GetProbe?

  /// Waits until the earlier writes to the key have called the levels, and then reads the key. When
  /// the levels may have an outdated value, loads the key instead.
  @usableFromInline
  func getInOrder(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Stamped<Plain>>
  ) -> Promise<Plain> {
    let hash = KeyVersions.hash(key)
    let read = { @Sendable () -> Promise<Plain> in
      order.skip(hash, in: 0) == nil
        ? self.get(key, get(key)) : loadUnlessPausing(key, usual)
    }
    return order.turn(ofGet: hash)?.flatMap(read) ?? read()
  }

  @usableFromInline
  func get(_ key: Key, _ answer: Promise<Stamped<Plain>>) -> Promise<Plain> {
    limit(answer, key).flatMapOutcome { outcome in
      switch outcome {
      case .cancelled: return .cancelled
      case .failure: return loadUnlessPausing(key, usual)
      case .success(let entry):
        let now = clock.now()
        let freshness = freshness(key, entry.value)
        let entry = expiring(entry, freshness, at: now)
        let stage = freshness.stage(of: entry, key.hashValue, at: now)
        if stage == .expired { return loadUnlessPausing(key, freshness) }
        guard stage != .fresh,
          running.pausing(KeyVersions.hash(key), freshness, at: now) == nil
        else {
          return Promise(outcome: .success(take(.stored(entry), key)))
        }
        return wait(for: key, atMost: stage == .stale ? .zero : freshness.waitingAtMost, entry)
      }
    }
  }

  /// The answer of a get: a value that the get has loaded, or a stored value.
  private enum Found: Sendable {
    case loaded(Plain)
    case stored(Stamped<Plain>)
  }

  /// Returns the value of a get's answer, and records where the value came from.
  private func take(_ found: Found, _ key: Key) -> Plain {
    switch found {
    case .loaded(let value):
      if let loadProbe { reporter?.probe?.begin(from: loadProbe) }
      return value
    case .stored(let entry):
      if let reporter, freshness(key, entry.value).isStale(entry, key.hashValue, at: clock.now()) {
        reporter.probe?.note { $0.isStale = true }
        reporter.report(.stale, key, since: nil, Promise<Void>.Outcome.success(()))
      }
      return entry.value
    }
  }

  /// Loads a key that has no value. During a pause, fails instead if `freshness` demands it.
  private func loadUnlessPausing(_ key: Key, _ freshness: Freshness?) -> Promise<Plain> {
    guard let freshness, freshness.failsInPause,
      let error = running.pausing(KeyVersions.hash(key), freshness, at: clock.now())
    else { return loaded(key) }
    return Promise(error: error)
  }

  /// Loads a key, and records that the value was loaded.
  private func loaded(_ key: Key) -> Promise<Plain> {
    loadProbe == nil ? load(key) : load(key).map { take(.loaded($0), key) }
  }

  /// Whether a get returns the value without calling the fetcher.
  func isInFirstStage(_ entry: Stamped<Plain>, _ key: Key) -> Bool {
    expired.isBefore(entry.storedAt)
      && clock.isNow(
        from: entry.firstUse,
        until: freshness(key, entry.value).endOfStage(of: entry, key.hashValue))
  }

  /// Whether the freshness of a value hasn't ended, even if the value is refreshed early.
  func isFresh(_ entry: Stamped<Plain>, _ key: Key) -> Bool {
    let (now, freshness) = (clock.now(), freshness(key, entry.value))
    let entry = expiring(entry, freshness, at: now)
    return !entry.isFromTheFuture(at: now) && !freshness.isStale(entry, key.hashValue, at: now)
  }

  /// Returns a stored entry with the effect of `expireAll()`, or `nil` if no get may return it.
  private func usable(_ entry: Stamped<Plain>, _ key: Key) -> Stamped<Plain>? {
    let (now, freshness) = (clock.now(), freshness(key, entry.value))
    let entry = expiring(entry, freshness, at: now)
    return freshness.stage(of: entry, key.hashValue, at: now) == .expired ? nil : entry
  }

  /// Returns an entry unchanged if it's newer than the last `expireAll()`. Otherwise, returns a
  /// stale copy, whose freshness ended at the first `expireAll()` after the entry was stored.
  private func expiring(
    _ entry: Stamped<Plain>, _ freshness: Freshness, at now: TimeSource.Instant
  ) -> Stamped<Plain> {
    if expired.isBefore(entry.storedAt) { return entry }
    return freshness.ended(entry, at: min(marks.since(of: entry.storedAt) ?? now, now))
  }

  /// Begins a background refresh of a key, unless a refresh of the key is already in flight.
  private func refresh(_ key: Key) {
    let hash = KeyVersions.hash(key)
    guard running.begin(hash) else { return }
    load(key).onCompletion { _ in running.end(hash) }
  }

  /// Loads a key. Returns the stored value if the load fails, if it takes longer than `limit`, or
  /// if an earlier load of the key hangs. When the limit has passed, the load continues. With a
  /// limit of zero, the load runs in the background.
  private func wait(
    for key: Key, atMost limit: Duration, _ entry: Stamped<Plain>
  ) -> Promise<Plain> {
    let hash = KeyVersions.hash(key)
    guard limit > .zero, !running.isHanging(hash) else {
      refresh(key)
      return Promise(outcome: .success(take(.stored(entry), key)))
    }
    let answer = load(key).map { Found.loaded($0) }.recover { try saved(key, from: $0) }
    guard answer.outcome == nil else { return answer.map { take($0, key) } }
    return waiting(for: answer, key, atMost: limit).map { take($0, key) }
  }

  private func waiting(
    for answer: Promise<Found>, _ key: Key, atMost limit: Duration
  ) -> Promise<Found> {
    let hash = KeyVersions.hash(key)
    return Promise { continuation in
      let cancelTimer = clock.after(limit) {
        running.giveUp(hash)
        // The load may have ended just before. Then nothing else would record its end.
        answer.observed { _ in running.recover(hash) }
        guard let value = try? saved(key, from: CacheError.timedOut(after: limit)) else { return }
        value.onSuccess { continuation.succeed($0) }
      }
      continuation.pending.onCancel(
        .handle { raise in
          if let raise { return answer.raise(raise) }
          answer.cancel()
        })
      answer.observed {
        cancelTimer()
        continuation.settle($0)
      }
    }
  }

  /// Returns the stored value of a key after a load of the key has failed. Reads the value again,
  /// because a write might have changed the value during the load.
  private func saved(_ key: Key, from error: any Error) throws -> Promise<Found> {
    let hash = KeyVersions.hash(key)
    guard !error.isAbsence, order.skip(hash, in: 0) == nil else { throw error }
    let read = { @Sendable () -> Promise<Stamped<Plain>> in limit(look(key), key) }
    return (order.turn(ofGet: hash)?.flatMap(read) ?? read()).flatMapOutcome { outcome in
      guard case .success(let stored) = outcome, let entry = usable(stored, key)
      else { return outcome.isCancelled ? .cancelled : Promise(error: error) }
      return Promise(outcome: .success(.stored(entry)))
    }
  }
}

extension Refreshing {
  /// Returns the get function of a mode, or `nil` for the usual mode.
  func get(_ reads: ReadMode) -> (@Sendable (Key) -> Promise<Plain>)? {
    if !reads.isDisjoint(with: .withoutOrigins) { return { key in self.stored(key) } }
    guard reads.contains(.reloading) else { return nil }
    return { key in self.loaded(key) }
  }

  /// Returns the stored value of a key, even if it's stale.
  private func stored(_ key: Key) -> Promise<Plain> {
    let hash = KeyVersions.hash(key)
    let read = { @Sendable () -> Promise<Plain> in
      guard order.skip(hash, in: 0) == nil else { return .miss }
      return limit(look(key), key).flatMap { stored in
        guard let entry = usable(stored, key) else { return .miss }
        return Promise(outcome: .success(take(.stored(entry), key)))
      }
    }
    return order.turn(ofGet: hash)?.flatMap(read) ?? read()
  }
}

extension Cache {
  /// Returns this origin with a time limit for each load. Records the outcome of each load in
  /// `refreshes`, and reports the load to observers as a `refresh` event.
  func loading(
    within limit: Duration, clock: TimeSource, notingIn refreshes: Refreshes
  ) -> Cache {
    transforming(plan.asOrigin()) { cache, reporter in
      var result = cache.operations
      let get = result.get
      result.get = { key in
        let start = reporter?.now()
        let hash = KeyVersions.hash(key)
        return get(key).timeout(after: limit, clock: clock).observed { outcome in
          refreshes.note(outcome, of: hash, at: clock.now())
          reporter?.report(.refresh, key, since: start, outcome)
        }
      }
      return result
    }
  }
}

/// The slow path of a tagged cache.
@usableFromInline
struct Tagging<Key: Hashable & Sendable, Plain: Sendable>: Sendable {
  @usableFromInline let queue: KeyedQueue
  @usableFromInline let newest: NewestMark
  let tags: Tags
  /// Whether gets leave no trace.
  private var isPeeking = false
  private let function: @Sendable (Key, Plain) -> [String]

  @usableFromInline typealias Below = CacheOperations<Key, Stamped<Plain>>
  /// Returns the get function of a tagged cache.
  @usableFromInline
  typealias Get = @Sendable (Below, Tagging) -> @Sendable (Key) -> Promise<Stamped<Plain>>

  @usableFromInline
  init(_ tags: Tags, _ function: @escaping @Sendable (Key, Plain) -> [String]) {
    (self.tags, newest, self.function) = (tags, tags.newest, function)
    queue = KeyedQueue()
  }

  /// Returns the same slow path for gets in a mode. Both share all state.
  func reading(in mode: ReadMode) -> Tagging {
    var tagging = self
    tagging.isPeeking = isPeeking || mode.contains(.peeking)
    return tagging
  }

  /// Gets a value after the earlier writes to its key have ended.
  @usableFromInline
  func getInOrder(_ key: Key, _ below: Below) -> Promise<Stamped<Plain>> {
    queue.read(KeyVersions.hash(key)) { checked(key, below.get(key), below) }
  }

  /// Compares a found value with the marks of its tags. A value that one of them has removed is
  /// also removed from the level, unless this is a peek.
  @usableFromInline
  func checked(
    _ key: Key, _ answer: Promise<Stamped<Plain>>, _ below: Below
  ) -> Promise<Stamped<Plain>> {
    answer.flatMap { entry in
      if newest.isBefore(entry.storedAt) { return Promise(outcome: .success(entry)) }
      return verdict(key, entry).flatMap { verdict in
        if verdict == .removed, !isPeeking { forget(key, below) }
        return Promise(outcome: result(entry, verdict))
      }
    }
  }

  private func verdict(_ key: Key, _ entry: Stamped<Plain>) -> Promise<TagVerdict> {
    tags.marks.verdict(of: function(key, entry.value), stamped: entry.storedAt)
  }

  private func result(
    _ entry: Stamped<Plain>, _ verdict: TagVerdict
  ) -> Promise<Stamped<Plain>>.Outcome {
    switch verdict {
    case .valid: .success(entry)
    case .removed: .failure(CacheError.notFound)
    // The value has been stale since this time, so the stale windows begin at it.
    case .stale(let since):
      .success(
        Stamped(
          entry.value, storedAt: entry.storedAt,
          expiresAt: min(since, tags.clock.now(), entry.deadline)))
    }
  }

  /// Removes from the level a value that has a removed tag, unless another value has replaced it.
  private func forget(_ key: Key, _ below: Below) {
    _ = queue.write(KeyVersions.hash(key)) {
      below.get(key).flatMapOutcome { outcome in
        guard case .success(let entry) = outcome else { return Promise() }
        return verdict(key, entry).flatMap { $0 == .removed ? below.remove(key) : Promise() }
      }
    }
  }

  /// Stores a value with a stamp that is later than the marks of its tags.
  ///
  /// - Parameter ticket: For a back-fill, the state of the marks when the load began. When one of
  ///   the tags has been marked since then, the value isn't stored.
  func set(
    _ key: Key, _ entry: Stamped<Plain>, since ticket: UInt64?, _ below: Below
  ) -> Promise<Void> {
    // A stamp in the far future would move all later marks and stamps to that time.
    let last = tags.clock.now().advanced(by: .seconds(60))
    let stamp = tags.marks.stamp(
      function(key, entry.value), from: min(entry.storedAt, last), since: ticket)
    let prepared = stamp.flatMapOutcome { Promise<Promise<TimeSource.Instant?>.Outcome>($0) }
    return queue.write(KeyVersions.hash(key), preparing: prepared) { outcome in
      switch outcome {
      case .success(let stamp?):
        below.set(key, Stamped(entry.value, storedAt: stamp, expiresAt: entry.expiresAt))
      case .success(nil): Promise()
      case .failure(let error): below.remove(key).flatMapOutcome { _ in Promise(error: error) }
      case .cancelled: below.remove(key).flatMapOutcome { _ in .cancelled }
      }
    }
  }

  /// Returns a bulk get that compares the values with the marks of their tags.
  func checking(
    _ bulk: BulkGet<Key, Stamped<Plain>>, _ below: Below
  ) -> BulkGet<Key, Stamped<Plain>> {
    BulkGet { keys in
      guard queue.isQuiet, let all = bulk.all(keys) else { return nil }
      return [
        all.flatMap { outcomes in
          Promise<Stamped<Plain>>.outcomes(
            of: zip(keys, outcomes).map { checked($0, Promise(outcome: $1), below) })
        }
      ]
    }
  }
}

/// The in-flight loads of a pooled cache.
///
/// After a write to a key, gets don't join a load of this key that began before the write. Loads
/// allocate their keys. Each get that joins a load allocates one object, which is both its promise
/// and its place among the listeners. Hits in memory allocate neither keys nor objects.
final class Pool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class LoadedKey: Sendable {
    let key: Key

    init(_ key: Key) { self.key = key }
  }

  /// The promise that the gets of a load share, and the promise of the get that began the load.
  private final class Answer: Sendable {
    let pending: Pending<Value>
    let first: Promise<Value>
    /// The origin of the value, if the get that began the load has a probe.
    let source = Lock(GetProbe.Answer?.none)

    init() {
      pending = Pending()
      first = pending.joined() ?? .cancelled
    }
  }

  private let loads = Lock(PooledLoads())

  /// The number of loads in flight.
  var count: Int { loads.withLock { $0.count } }

  /// Joins the load of a key, or begins a load if none is in flight.
  ///
  /// - Parameters:
  ///   - reporter: The reporter that receives a `join` event for each get that joins a load. The
  ///     event's duration is the time for which the get has waited for the load.
  ///   - joins: Whether the get may join a load that is already in flight.
  func load(
    _ key: Key, reportingTo reporter: Reporter?, joins: Bool = true, _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let hash = KeyVersions.hash(key)
    var known = joins ? 0 : Int.max
    while true {
      if let id = loads.withLock({ $0.begin(hash, LoadedKey(key), after: known) }) {
        return share(get(key), of: id, reporter?.probe)
      }
      let joinable = loads.withLock { $0.joinable(hash) }
      known = joinable.newest
      let first = joinable.first.flatMap { isLoad($0, of: key) ? $0 : nil }
      guard let same = first ?? joinable.others.first(where: { isLoad($0, of: key) }),
        let promise = join(same.id, reporter?.probe)
      else { continue }
      guard let reporter else { return promise }
      let start = reporter.now()
      return promise.observed { reporter.report(.join, key, since: start, $0) }
    }
  }

  /// Returns the get function of a pooled cache.
  ///
  /// A get first reads the memory levels at the top, as a load would. When it finds the value
  /// there, it doesn't reach the table of loads.
  ///
  /// A get in another mode joins no load, because the load may read a level that the get must not
  /// read. But if there is only an origin below, a `reloading` get begins a load that later gets
  /// join.
  func get(
    _ cache: Cache<Key, Value>, reportingTo reporter: Reporter?,
    _ passingHits: Cache<Key, Value>.HitGet
  ) -> @Sendable (Key) -> Promise<Value> {
    let (get, reads) = (cache.get, cache.metadata.reads)
    if reads.isEmpty {
      guard let hit = cache.metadata.properties.hit else {
        return { key in self.load(key, reportingTo: reporter, get) }
      }
      return passingHits(hit) { key, _ in self.load(key, reportingTo: reporter, get) }
    }
    guard reads == .reloading, cache.metadata.isReadOnly else { return get }
    return { key in self.load(key, reportingTo: reporter, joins: false, get) }
  }

  private func isLoad(_ load: PooledLoads.Load, of key: Key) -> Bool {
    KeyHash.areSame(unsafeDowncast(load.key, to: LoadedKey.self).key, key)
  }

  /// Shares the result of a load that has just begun with the gets that join the load.
  private func share(
    _ result: Promise<Value>, of id: PooledLoads.Load.ID, _ probe: GetProbe?
  ) -> Promise<Value> {
    guard result.isReady else { return sharePending(result, of: id, probe) }
    if let answer = loads.withLock({ $0.end(id) })?.answer, let outcome = result.outcome {
      settle(answer, outcome, probe)
    }
    return result
  }

  private func sharePending(
    _ result: Promise<Value>, of id: PooledLoads.Load.ID, _ probe: GetProbe?
  ) -> Promise<Value> {
    guard let answer = answer(of: id) else { return result }
    let interest = result.join { self.end(id, $0, probe) }
    answer.pending.onCancel(
      .handle { raise in
        if let raise { return _ = interest?.raise(raise) }
        self.end(id, .cancelled)
        interest?.withdraw()
      })
    return answer.first
  }

  /// Joins a load, and raises it to the priority of the current task. Returns `nil` if the load has
  /// ended.
  private func join(_ id: PooledLoads.Load.ID, _ probe: GetProbe?) -> Promise<Value>? {
    guard let answer = answer(of: id) else { return nil }
    guard let promise = answer.pending.joined() else {
      end(id, .cancelled)  // All gets that joined this load have just been cancelled.
      return nil
    }
    Promise(.pending(answer.pending)).raise(Raise(to: .ofCaller))
    guard let probe else { return promise }
    return promise.map { value in
      var source = answer.source.withLock { $0 } ?? .init()
      source.isJoined = true
      probe.begin(source)
      return value
    }
  }

  /// Returns the promises of a load, or `nil` if the load has ended.
  private func answer(of id: PooledLoads.Load.ID) -> Answer? {
    loads.withLock { loads in
      loads.update(id) { load in
        let answer = load.answer.map { unsafeDowncast($0, to: Answer.self) } ?? Answer()
        load.answer = answer
        return answer
      }
    }
  }

  /// Ends a load, and passes its outcome to the gets that have joined it.
  private func end(
    _ id: PooledLoads.Load.ID, _ outcome: Promise<Value>.Outcome, _ probe: GetProbe? = nil
  ) {
    if let answer = loads.withLock({ $0.end(id) })?.answer { settle(answer, outcome, probe) }
  }

  private func settle(
    _ answer: any AnyObject & Sendable, _ outcome: Promise<Value>.Outcome, _ probe: GetProbe?
  ) {
    let answer = unsafeDowncast(answer, to: Answer.self)
    if let probe { answer.source.withLock { $0 = probe.answer } }
    answer.pending.settle(outcome)
  }

  /// Runs a write to a key, or to all keys if `key` is `nil`. Later gets of a written key don't
  /// join a load that began before the write.
  func detaching(_ key: Key?, _ write: () -> Promise<Void>) -> Promise<Void> {
    detach(key)
    let answer = write()
    detach(key)  // A load that began before the write reached the level may have an older value.
    return answer.isReady
      ? answer
      : answer.observed { _ in self.detach(key) }.flatMapOutcome { Promise(outcome: $0) }
  }

  /// Keeps later gets from joining the current load of a key, or any current load if `key` is
  /// `nil`.
  func detach(_ key: Key?) {
    let hash = key.map(KeyVersions.hash)
    loads.withLock { $0.detach(hash) }
  }
}

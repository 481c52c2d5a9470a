/// The in-flight loads of a pooled cache, by key.
///
/// A write to a key ensures that later gets of the key don't join loads that began before the
/// write.
final class Pool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Load: Sendable {
    let key: Key
    let get: WriteTracker.Get
    let answer = Pending<Value>()
    /// The highest task priority among the load's callers.
    private let priority: Lock<TaskPriority>
    private let firstPriority = Task.currentPriority

    init(_ key: Key, _ get: WriteTracker.Get) {
      (self.key, self.get, priority) = (key, get, Lock(firstPriority))
    }

    /// Records the promise that the load awaits. Raises the promise's tasks to the highest priority
    /// among the load's callers.
    func awaits(_ pending: Pending<Value>) {
      answer.source(is: pending)
      let highest = priority.withLock { $0 }
      if highest > firstPriority { answer.raise(to: highest) }
    }

    /// If the current task has a higher priority than the load, raises the load's tasks to the
    /// priority of the current task. Called when the current task joins the load.
    func raise() {
      let new = Task.currentPriority
      let isHigher = priority.withLock { priority in
        defer { priority = max(priority, new) }
        return new > priority
      }
      if isHigher { answer.raise(to: new) }
    }
  }

  private let order = OperationOrder()
  private let loads = Lock<[Int: [Load]]>([:])  // The loads, by the hash of their key.

  /// The number of loads in flight.
  var count: Int { loads.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Joins the load of a key, or begins a load if none is in flight.
  ///
  /// - Parameter reporter: The reporter that receives a `join` event for each get that joins a
  ///   load. The duration of a `join` event is the time that the get has waited for the load.
  func load(
    _ key: Key, reportingTo reporter: Reporter?, _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let hash = OperationOrder.hash(key)
    while true {
      let known = loads.withLock { $0[hash] ?? [] }
      if let found = known.last(where: { $0.key == key && order.isCurrent($0.get) }) {
        guard let promise = found.answer.joined() else {
          end(found, hash)  // Every get that had joined this load has just been cancelled.
          continue
        }
        found.raise()
        guard let reporter else { return promise }
        let start = reporter.now()
        return promise.observed { reporter.report(.join, key, since: start, $0) }
      }
      let load = Load(key, order.begin(hash))
      guard let own = load.answer.joined() else { continue }
      let isFirst = loads.withLock { loads in
        guard loads[hash]?.last === known.last else { return false }
        loads[hash, default: []].append(load)
        return true
      }
      if isFirst { return begin(load, hash, own, get) }
      order.end(load.get)
      own.cancel()
    }
  }

  private func begin(
    _ load: Load, _ hash: Int, _ own: Promise<Value>, _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let answer = get(load.key)
    let interest = answer.join { outcome in
      self.end(load, hash)
      load.answer.settle(outcome)
    }
    if case .pending(let pending) = answer.state { load.awaits(pending) }
    load.answer.stop(at: 1) {
      self.end(load, hash)
      interest?.withdraw()
    }
    return answer.isReady ? answer : own
  }

  private func end(_ load: Load, _ hash: Int) {
    let isFirst = loads.withLock { loads in
      guard let index = loads[hash]?.firstIndex(where: { $0 === load }) else { return false }
      loads[hash]?.remove(at: index)
      if loads[hash]?.isEmpty == true { loads[hash] = nil }
      return true
    }
    if isFirst { order.end(load.get) }
  }

  /// Runs a write to a key, or to all keys if `key` is `nil`. Later gets of a written key don't
  /// join loads that began before the write.
  func detaching(_ key: Key?, _ write: () -> Promise<Void>) -> Promise<Void> {
    order.overtaking(key.map(OperationOrder.hash), write)
  }

  /// Prevents later gets from joining the current load of a key, or any current load if the key is
  /// `nil`.
  func detach(_ key: Key?) { _ = detaching(key) { Promise() } }
}

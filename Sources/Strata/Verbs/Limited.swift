extension Cache {
  /// Returns this cache with at most so many gets under way at once; the others wait in order of
  /// arrival.
  ///
  /// A get that is cancelled while it waits leaves the queue and asks nothing; one that is
  /// cancelled while it runs frees its place. Writes and warnings do not wait. A get that asks this
  /// cache again before it answers keeps its place meanwhile, and with too few of them waits for
  /// itself: bound it with a time limit.
  ///
  ///     let found = memory + network.limited(toConcurrentGets: 4).pooled()
  ///
  /// - Parameter count: How many; less than one counts as one.
  /// - Complexity: O(1), amortised. A hit costs two short critical sections and no allocation.
  /// - Law: `a.limited(toConcurrentGets: .max) == a`, and there are never more than `count`:
  ///   `limit.transparency`, `limit.bound`, `limit.order` and others of `Laws.limit`; see
  ///   `LimitLaws`.
  @inlinable
  public func limited(toConcurrentGets count: Int) -> Cache {
    let places = Places<Value>(max(1, count))
    return asked("limited", "toConcurrentGets: \(count)", isQueue: true) { get in
      { key in
        guard places.take() else { return places.wait { get(key) } }
        let answer = get(key)
        guard answer.isReady else { return places.freeing(after: answer) }
        places.free()
        return answer
      }
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with at most so many gets under way at once; see
  /// ``Cache/limited(toConcurrentGets:)``.
  ///
  /// - Law: as for a cache; see `LimitedTests.testAFetcherIsLimitedToo`.
  @inlinable
  public func limited(toConcurrentGets count: Int) -> Fetcher {
    Fetcher(cache.limited(toConcurrentGets: count))
  }
}

/// Places for gets, and the queue of those that have none.
///
/// While somebody waits no place is free: who leaves hands on the place.
@usableFromInline
final class Places<Value: Sendable>: Sendable {
  struct Waiter: Sendable {
    let result: Pending<Value>
    let begin: @Sendable () -> Promise<Value>
  }

  @usableFromInline
  struct State {
    @usableFromInline var free: Int
    @usableFromInline var next = 0  // Nobody before this number waits, and nobody from `end` on.
    @usableFromInline var end = 0
    var waiters: [Int: Waiter] = [:]  // By number; those who left are missing.

    /// Takes out who is next, with the place that is left; without anybody the place is free.
    mutating func handOn() -> Waiter? {
      while next < end {
        defer { next += 1 }
        if let waiter = waiters.removeValue(forKey: next) { return waiter }
      }
      free += 1
      return nil
    }
  }

  @usableFromInline let state: Lock<State>

  @usableFromInline
  init(_ count: Int) { state = Lock(State(free: count)) }

  /// Takes a place; false if there is none.
  @inlinable
  func take() -> Bool {
    state.withLock { state in
      guard state.free > 0 else { return false }
      state.free -= 1
      return true
    }
  }

  /// Queues a get, or begins it if a place has become free meanwhile.
  @usableFromInline
  func wait(_ begin: @escaping @Sendable () -> Promise<Value>) -> Promise<Value> {
    let waiter = Waiter(result: Pending(), begin: begin)
    let number = state.withLock { state -> Int? in
      guard state.free == 0 else {
        state.free -= 1
        return nil
      }
      defer { state.end += 1 }
      state.waiters[state.end] = waiter
      return state.end
    }
    guard let number else { return freeing(after: begin()) }
    waiter.result.stop(at: 1) { self.leave(number) }
    return Promise(.pending(waiter.result))
  }

  /// Frees a place when a get has ended, whichever way.
  @usableFromInline
  func freeing(after answer: Promise<Value>) -> Promise<Value> {
    answer.observed { _ in self.free() }
  }

  /// Frees a place, or hands it on.
  @inlinable
  func free() {
    let isFree = state.withLock { state in
      guard state.next == state.end else { return false }
      state.free += 1
      return true
    }
    if !isFree { handOn() }
  }

  /// Hands on a place; from the queue, so that a thousand that answer at once are not
  /// nested in each other, and one that blocks in a callback does not keep the next from beginning.
  @usableFromInline
  func handOn() {
    guard let waiter = state.withLock({ $0.handOn() }) else { return }
    Trampoline.run { self.begin(waiter) }
  }

  private func begin(_ waiter: Waiter) {
    guard waiter.result.outcome == nil else { return free() }
    let answer = waiter.begin()
    _ = freeing(after: answer)
    waiter.result.follow(answer, at: 2)
  }

  /// Takes a waiter out of the queue; it is let go of outside the lock.
  private func leave(_ number: Int) {
    _ = state.withLock { $0.waiters.removeValue(forKey: number) }
  }
}

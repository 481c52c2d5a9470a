/// What stands behind a promise until it settles: its listeners, and how many want the answer.
///
/// A listener that is an *interest* keeps the work going; the others only watch. Joining,
/// withdrawing and settling are each one critical section, so that nobody can join work which the
/// last interest has just ended. No closure is called or released under the lock.
///
/// All of it is inlinable: where the type is not known, it takes ten times as long.
@usableFromInline
struct Pending<Value: Sendable>: Sendable {
  @usableFromInline typealias Outcome = Promise<Value>.Outcome

  @usableFromInline
  struct State {
    @usableFromInline typealias Entry = (id: Int, isInterest: Bool, listener: Listener?)

    @usableFromInline var outcome: Outcome?
    @usableFromInline var isDelivering = false
    @usableFromInline var listeners: [Entry] = []  // By ascending id.
    @usableFromInline var withdrawn = 0
    @usableFromInline var lastID = 0
    @usableFromInline var interests = 0
    @usableFromInline var stop: (stage: Int, Stop)?

    @inlinable init() {}
  }

  @usableFromInline let state: Lock<State>

  @inlinable init() { state = Lock(State()) }

  @inlinable var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Adds a listener, unless all is settled and delivered: then the caller has to call it.
  ///
  /// - Parameter isJoin: Whether to be told of a cancellation at once, delivered or not.
  @inlinable
  func listen(isInterest: Bool, isJoin: Bool = false, _ listener: Listener) -> Listening {
    state.withLock { state in
      if let outcome = state.outcome, !state.isDelivering || isJoin && outcome.isCancelled {
        return .settled(outcome)
      }
      state.lastID += 1
      state.listeners.append((state.lastID, isInterest, listener))
      if isInterest { state.interests += 1 }
      return .waiting(id: state.lastID)
    }
  }

  /// Settles, stops the work if it was cancelled, and calls the listeners; false if too late.
  @inlinable
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let end = state.withLock { $0.settle(outcome) }
    if end.isDue { deliver(outcome, stop: end.stop) }
    return end.isFirst
  }

  /// Takes a listener away, and with the last interest the work; false if it is being called.
  @inlinable
  @discardableResult
  func withdraw(_ id: Int) -> Bool {
    let (listener, end) = state.withLock { $0.withdraw(id) }
    if end.isDue { deliver(.cancelled, stop: end.stop) }
    return listener != nil
  }

  /// Sets how the work is stopped, in place of what an earlier stage of it had set.
  @inlinable
  func stop(at stage: Int, _ stop: Stop) {
    let (outcome, earlier) = state.withLock { state -> (Outcome?, Stop?) in
      if state.outcome != nil || stage < state.stop?.stage ?? 0 { return (state.outcome, nil) }
      defer { state.stop = (stage, stop) }
      return (nil, state.stop?.1)
    }
    withExtendedLifetime(earlier) { if outcome?.isCancelled == true { stop.run() } }
  }

  /// One call a step, taken out before it is made: a callback that waits may run the rest.
  @inlinable
  func deliver(_ outcome: Outcome, stop: Stop?) {
    var (stop, batch, next) = (outcome.isCancelled ? stop : nil, [State.Entry](), 0)
    Trampoline.runSteps {
      if let last = stop.take() {
        last.run()
        return true
      }
      if next == batch.count {
        let listeners = state.withLock { $0.nextBatch() }
        withExtendedLifetime(batch) { (batch, next) = (listeners, 0) }
      }
      guard next < batch.count else { return false }
      next += 1
      batch[next - 1].listener?.hear(outcome)
      return true
    }
  }
}

extension Pending.State {
  /// What is left to do: `stop` is let go of outside the lock, called or not.
  @usableFromInline typealias End = (isFirst: Bool, isDue: Bool, stop: Pending.Stop?)

  @inlinable
  mutating func settle(_ outcome: Pending.Outcome) -> End {
    guard self.outcome == nil else { return (false, false, nil) }
    defer { stop = nil }
    self.outcome = outcome
    isDelivering = !listeners.isEmpty
    return (true, isDelivering || outcome.isCancelled && stop != nil, stop?.1)
  }

  @inlinable
  mutating func withdraw(_ id: Int) -> (listener: Pending.Listener?, end: End) {
    let place = place(of: id)
    guard place < listeners.count, listeners[place].id == id,
      let listener = listeners[place].listener.take()
    else { return (nil, (false, false, nil)) }
    let isInterest = listeners[place].isInterest
    withdrawn += 1
    if withdrawn > 8, withdrawn > listeners.count / 2 {
      listeners.removeAll { $0.listener == nil }
      withdrawn = 0
    }
    if isInterest { interests -= 1 }
    let isLast = isInterest && interests == 0 && outcome == nil
    return (listener, isLast ? settle(.cancelled) : (false, false, nil))
  }

  @inlinable
  func place(of id: Int) -> Int {
    var (place, end) = (0, listeners.count)
    while place < end {  // The ids ascend.
      let middle = (place + end) / 2
      if listeners[middle].id < id { place = middle + 1 } else { end = middle }
    }
    return place
  }

  @inlinable
  mutating func nextBatch() -> [Entry] {
    defer { (listeners, withdrawn) = ([], 0) }
    isDelivering = !listeners.isEmpty
    return listeners
  }
}

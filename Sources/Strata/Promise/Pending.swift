/// The state of a pending promise: its listeners, and the number of interests.
///
/// An *interest* is a listener that keeps the work going. Other listeners only observe. Joining,
/// withdrawing, and settling are one critical section each, so no caller can join work that the
/// last interest has ended. No closure is called or released under the lock.
///
/// Everything is inlinable, because unspecialized code takes ten times as long.
@usableFromInline
struct Pending<Value: Sendable>: Sendable {
  @usableFromInline typealias Outcome = Promise<Value>.Outcome

  @usableFromInline
  struct State {
    @usableFromInline typealias Entry = (id: Int, isInterest: Bool, listener: Listener?)

    @usableFromInline var outcome: Outcome?
    @usableFromInline var isDelivering = false
    @usableFromInline var listeners: [Entry] = []  // Sorted by ID.
    @usableFromInline var withdrawn = 0
    @usableFromInline var lastID = 0
    @usableFromInline var interests = 0
    @usableFromInline var stop: (stage: Int, CancelHandler)?
    @usableFromInline var source: (any PendingSource)?
    @usableFromInline var work: PendingWork?

    @inlinable init() {}
  }

  @usableFromInline let state: Lock<State>

  @inlinable init() { state = Lock(State()) }

  /// Makes a promise that waits for another one.
  @inlinable
  init(source: any PendingSource) {
    var state = State()
    state.source = source
    self.state = Lock(state)
  }

  @inlinable var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Adds a listener, unless the outcome has been delivered. In that case, the caller must call the
  /// listener.
  ///
  /// - Parameter isJoin: Whether to return a cancellation even while it is being delivered.
  @inlinable
  @inline(never)
  func listen(isInterest: Bool, isJoin: Bool = false, _ listener: Listener) -> JoinResult {
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

  /// Settles the promise, runs the cancel handler if the outcome is a cancellation, and calls the
  /// listeners.
  ///
  /// - Returns: Whether this outcome is the first one.
  @inlinable
  @inline(never)
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let end = state.withLock { $0.settle(outcome) }
    withExtendedLifetime(end.source) {
      if end.isDue { deliver(outcome, stop: end.stop) }
    }
    return end.isFirst
  }

  /// Removes a listener. Removing the last interest cancels the work.
  ///
  /// - Returns: Whether the listener was removed before it was called.
  @inlinable
  @inline(never)
  @discardableResult
  func withdraw(_ id: Int) -> Bool {
    let (listener, end) = state.withLock { $0.withdraw(id) }
    withExtendedLifetime(end.source) {
      if end.isDue { deliver(.cancelled, stop: end.stop) }
    }
    return listener != nil
  }

  /// Sets the cancel handler. It replaces the handler of an earlier stage of the work.
  ///
  /// - Parameter source: The promise that this one waits for in this stage.
  @inlinable
  @inline(never)
  func stop(at stage: Int, _ stop: CancelHandler, source: (any PendingSource)? = nil) {
    typealias Earlier = (CancelHandler?, (any PendingSource)?)
    let (outcome, earlier) = state.withLock { state -> (Outcome?, Earlier) in
      if state.outcome != nil || stage < state.stop?.stage ?? 0 {
        return (state.outcome, (nil, nil))
      }
      defer {
        state.stop = (stage, stop)
        if let source { state.source = source }
      }
      return (nil, (state.stop?.1, state.source))
    }
    withExtendedLifetime(earlier) { if outcome?.isCancelled == true { stop.run() } }
  }

  /// Makes one call per step. A callback that waits may run the remaining steps inside its own.
  @inlinable
  @inline(never)
  func deliver(_ outcome: Outcome, stop: CancelHandler?) {
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
      batch[next - 1].listener?.receive(outcome)
      return true
    }
  }
}

extension Pending.State {
  /// The work that remains after the critical section. The caller releases `stop` outside the lock.
  @usableFromInline typealias End = (
    isFirst: Bool, isDue: Bool, stop: Pending.CancelHandler?, source: (any PendingSource)?
  )

  @inlinable
  mutating func settle(_ outcome: Pending.Outcome) -> End {
    guard self.outcome == nil else { return (false, false, nil, nil) }
    defer { (stop, source) = (nil, nil) }
    self.outcome = outcome
    isDelivering = !listeners.isEmpty
    return (true, isDelivering || outcome.isCancelled && stop != nil, stop?.1, source)
  }

  @inlinable
  mutating func withdraw(_ id: Int) -> (listener: Pending.Listener?, end: End) {
    let index = index(of: id)
    guard index < listeners.count, listeners[index].id == id,
      let listener = listeners[index].listener.take()
    else { return (nil, (false, false, nil, nil)) }
    let isInterest = listeners[index].isInterest
    withdrawn += 1
    if withdrawn > 8, withdrawn > listeners.count / 2 {
      listeners.removeAll { $0.listener == nil }
      withdrawn = 0
    }
    if isInterest { interests -= 1 }
    let isLast = isInterest && interests == 0 && outcome == nil
    return (listener, isLast ? settle(.cancelled) : (false, false, nil, nil))
  }

  @inlinable
  func index(of id: Int) -> Int {
    var (start, end) = (0, listeners.count)
    while start < end {  // Sorted by ID.
      let middle = (start + end) / 2
      if listeners[middle].id < id { start = middle + 1 } else { end = middle }
    }
    return start
  }

  @inlinable
  mutating func nextBatch() -> [Entry] {
    defer { (listeners, withdrawn) = ([], 0) }
    isDelivering = !listeners.isEmpty
    return listeners
  }
}

/// What stands behind a promise until it settles: its listeners, and how many want the answer.
///
/// A listener that is an *interest* keeps the work going; the others only watch. Joining,
/// withdrawing and settling are each one critical section, so that nobody can join work which the
/// last interest has just ended. No closure is called or released under the lock.
@usableFromInline
struct Pending<Value: Sendable>: Sendable {
  @usableFromInline typealias Outcome = Promise<Value>.Outcome
  typealias Listener = @Sendable (Outcome) -> Void

  @usableFromInline
  struct State {
    typealias Entry = (id: Int, isInterest: Bool, run: Listener?)

    var outcome: Outcome?
    var isDelivering = false
    var listeners: [Entry] = []  // By ascending id.
    var withdrawn = 0
    var lastID = 0
    var interests = 0
    var stop: (stage: Int, run: @Sendable () -> Void)?
  }

  @usableFromInline let state = Lock(State())

  @usableFromInline var outcome: Outcome? { state.withLock { $0.outcome } }

  enum Listening {
    case waiting(id: Int)
    case settled(Outcome)
  }

  /// Adds a listener, unless all is settled and delivered: then the caller has to call it.
  ///
  /// - Parameter isJoin: Whether to be told of a cancellation at once, delivered or not.
  func listen(
    isInterest: Bool, isJoin: Bool = false, _ run: @escaping Listener
  ) -> Listening {
    state.withLock { state in
      if let outcome = state.outcome, !state.isDelivering || isJoin && outcome.isCancelled {
        return .settled(outcome)
      }
      state.lastID += 1
      state.listeners.append((state.lastID, isInterest, run))
      if isInterest { state.interests += 1 }
      return .waiting(id: state.lastID)
    }
  }

  /// Settles, stops the work if it was cancelled, and calls the listeners; false if too late.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let (isFirst, stop) = state.withLock { $0.settle(outcome) }
    guard isFirst else { return false }
    deliver(outcome, stop: stop)
    return true
  }

  /// Takes a listener away, and with the last interest the work; false if it is being called.
  @discardableResult
  func withdraw(_ id: Int) -> Bool {
    let (listener, isLast, stop) = state.withLock { $0.withdraw(id) }
    if isLast { deliver(.cancelled, stop: stop) }
    return listener != nil
  }

  /// Sets how the work is stopped, in place of what an earlier stage of it had set.
  func stop(at stage: Int, _ run: @escaping @Sendable () -> Void) {
    let (outcome, earlier) = state.withLock { state in
      guard state.outcome == nil, stage >= state.stop?.stage ?? 0 else {
        return (state.outcome, nil as (@Sendable () -> Void)?)
      }
      let earlier = state.stop?.run
      state.stop = (stage, run)
      return (nil, earlier)
    }
    withExtendedLifetime(earlier) { if outcome?.isCancelled == true { run() } }
  }

  /// One call a step, taken out before it is made: a callback that waits may run the rest.
  private func deliver(_ outcome: Outcome, stop: (@Sendable () -> Void)?) {
    var left = (stop: outcome.isCancelled ? stop : nil, listeners: ArraySlice<State.Entry>())
    guard left.stop != nil || state.withLock({ $0.isDelivering }) else { return }
    Trampoline.runSteps {
      if let stop = left.stop.take() {
        stop()
        return true
      }
      if left.listeners.isEmpty {
        let batch = state.withLock { $0.nextBatch() }
        withExtendedLifetime(left.listeners) { left.listeners = batch[...] }
      }
      guard let listener = left.listeners.popFirst() else { return false }
      listener.run?(outcome)
      return true
    }
  }
}

extension Pending.State {
  fileprivate mutating func settle(
    _ outcome: Pending.Outcome
  ) -> (isFirst: Bool, stop: (@Sendable () -> Void)?) {
    guard self.outcome == nil else { return (false, nil) }
    defer { stop = nil }
    self.outcome = outcome
    isDelivering = !listeners.isEmpty
    return (true, stop?.run)
  }

  fileprivate mutating func withdraw(
    _ id: Int
  ) -> (listener: Pending.Listener?, isLast: Bool, stop: (@Sendable () -> Void)?) {
    var place = listeners.startIndex
    var end = listeners.endIndex
    while place < end {  // The ids ascend.
      let middle = (place + end) / 2
      if listeners[middle].id < id { place = middle + 1 } else { end = middle }
    }
    guard place < listeners.endIndex, listeners[place].id == id, let run = listeners[place].run
    else { return (nil, false, nil) }
    let isInterest = listeners[place].isInterest
    listeners[place].run = nil
    withdrawn += 1
    if withdrawn > 8, withdrawn > listeners.count / 2 {
      listeners.removeAll { $0.run == nil }
      withdrawn = 0
    }
    if isInterest { interests -= 1 }
    guard isInterest, interests == 0, outcome == nil else { return (run, false, nil) }
    return (run, true, settle(.cancelled).stop)
  }

  fileprivate mutating func nextBatch() -> [Entry] {
    defer {
      listeners = []
      withdrawn = 0
    }
    isDelivering = !listeners.isEmpty
    return listeners
  }
}

/// The state of a pending promise: its outcome and its listeners.
///
/// Some listeners keep the work going (*interests*), and others only observe the outcome. Adding an
/// interest, withdrawing an interest, and storing the outcome each acquire the lock once. After the
/// last interest has been withdrawn, the work stops, and no further caller can join it. No thread
/// calls or releases a closure while it holds the lock.
///
/// `Pending` is a struct that contains only its lock, so a pending promise is one object. Most
/// generic functions of `Pending` are inlinable, because unspecialized generic code takes ten times
/// as long to run.
@usableFromInline
package struct Pending<Value: Sendable>: Sendable {
  @usableFromInline package typealias Outcome = Promise<Value>.Outcome

  @usableFromInline
  struct State {
    @usableFromInline var outcome: Outcome?
    @usableFromInline var listeners = Listeners()

    @inlinable init() {}
  }

  @usableFromInline let state: Lock<State>

  @inlinable package init() { state = Lock(State()) }

  @inlinable package var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Adds a listener. When the earlier listeners have already received the outcome, the listener
  /// isn't added, and the caller must call it with the returned outcome.
  ///
  /// - Parameter isJoin: Whether to reject the listener as soon as the promise is cancelled. By
  ///   default, a promise also accepts listeners after it has settled, until it has called all
  ///   earlier ones.
  /// - Returns: The listener's ID, or the outcome if the listener wasn't added.
  @inlinable
  @inline(never)
  func listen(
    isInterest: Bool, isJoin: Bool = false, _ listener: Listener
  ) -> (id: Int, settled: Outcome?) {
    state.withLock { state in
      if let outcome = state.outcome,
        !state.listeners.isDelivering || isJoin && outcome.isCancelled
      {
        return (0, outcome)
      }
      return (state.listeners.add(listener, isInterest: isInterest), nil)
    }
  }

  /// Settles the promise, runs the cancel handler if the outcome is a cancellation, and calls the
  /// listeners.
  ///
  /// - Returns: Whether this outcome is the promise's first outcome.
  @inlinable
  @inline(never)
  @discardableResult
  package func settle(_ outcome: Outcome) -> Bool {
    let end = state.withLock { $0.settle(outcome) }
    if let end { deliver(outcome, end) }
    return end != nil
  }

  /// Settles the promise on a thread that must run no code of the program. A task that waits alone
  /// resumes immediately, because that runs no other code on this thread. For all other listeners,
  /// calls `later` with a closure that calls them.
  @inlinable
  func settle(_ outcome: Outcome, later: @escaping RunLater) -> Bool {
    guard var end = state.withLock({ $0.settle(outcome) }) else { return false }
    end.counted?.report(later: later)
    end.counted = nil
    if end.isDue { later { [end] in deliver(outcome, end) } } else { end.waiter?.resume() }
    return true
  }

  /// Reports the end of an operation when the promise settles, without keeping the work going.
  @inlinable
  func count(_ end: OperationEnd) {
    let hasEnded = state.withLock { state in
      if state.outcome != nil, !state.listeners.isDelivering { return true }
      state.listeners.add(end)
      return false
    }
    if hasEnded { end.report() }
  }

  /// Settles the promise with a failure, and stops its work as a cancellation does.
  func stop(_ error: any Error) {
    let outcome = Outcome.failure(error)
    guard let end = state.withLock({ $0.settle(outcome) }) else { return }
    end.cancelHandler?.run()
    deliver(outcome, end)
  }

  /// Removes a listener. Removing the last interest cancels the work.
  ///
  /// - Returns: Whether the listener was removed before it was called.
  @inlinable
  @inline(never)
  @discardableResult
  func withdraw(_ id: Int) -> Bool {
    let (listener, end) = state.withLock { state in
      let (listener, isLast) = state.listeners.remove(id)
      return (listener, isLast ? state.settle(.cancelled) : nil)
    }
    if let end { deliver(.cancelled, end) }
    return listener != nil
  }

  /// Sets the cancel handler for a step of the promise's work. If the promise is already cancelled,
  /// calls the handler instead.
  @inlinable
  @inline(never)
  package func onCancel(at step: WorkStep = .first, _ handler: CancelHandler) {
    let (isCancelled, earlier, raise) = state.withLock { state -> (Bool, CancelHandler?, Raise?) in
      if let outcome = state.outcome { return (outcome.isCancelled, nil, nil) }
      let earlier = state.listeners.replaceCancelHandler(at: step, handler)
      return (false, earlier, state.listeners.raise)
    }
    withExtendedLifetime(earlier) { handler.begin(isCancelled: isCancelled, raise) }
  }

  @inlinable
  package func onCancel(at step: WorkStep = .first, _ stop: @escaping @Sendable () -> Void) {
    onCancel(at: step, .call(stop))
  }

  /// Removes and returns the listeners that haven't received the outcome yet.
  @inlinable
  func nextBatch() -> [Listeners.Entry] { state.withLock { $0.listeners.nextBatch() } }

  @inlinable
  func deliver(_ outcome: Outcome, _ end: Listeners.End) {
    end.counted?.report()
    end.waiter?.resume()  // Resuming a task runs no other code on this thread.
    guard end.isDue else { return }
    let handler = outcome.isCancelled ? end.cancelHandler : nil
    let delivery = Delivery(cancelHandler: handler) { self.nextBatch() }
    Trampoline.runSteps { withUnsafePointer(to: outcome) { delivery.step(UnsafeRawPointer($0)) } }
  }
}

extension Pending: AnyPending {
  @usableFromInline
  func settle(copying outcome: UnsafeRawPointer) {
    settle(outcome.assumingMemoryBound(to: Outcome.self).pointee)
  }

  @usableFromInline
  func note(_ raise: Raise) -> CancelHandler? {
    state.withLock { $0.outcome == nil ? $0.listeners.note(raise) : nil }
  }
}

extension Pending.State {
  /// Stores an outcome and returns the data for its delivery, or returns `nil` if the promise
  /// already has an outcome.
  @inlinable
  mutating func settle(_ outcome: Pending.Outcome) -> Listeners.End? {
    guard self.outcome == nil else { return nil }
    self.outcome = outcome
    return listeners.end(isCancelled: outcome.isCancelled)
  }
}

/// Delivers an outcome: calls the cancel handler first, and then each listener.
@usableFromInline
final class Delivery {
  // This property is a closure, not the promise, because the closure's code is specialized.
  private let nextBatch: () -> [Listeners.Entry]
  private var cancelHandler: CancelHandler?
  private var batch: [Listeners.Entry] = []
  private var next = 0

  @usableFromInline
  init(cancelHandler: CancelHandler?, nextBatch: @escaping () -> [Listeners.Entry]) {
    (self.cancelHandler, self.nextBatch) = (cancelHandler, nextBatch)
  }

  /// Calls the cancel handler or the next listener. Returns `false` if no listener remains. When a
  /// listener calls `wait(for:)`, that function calls the remaining listeners before it blocks the
  /// thread.
  @usableFromInline
  func step(_ outcome: UnsafeRawPointer) -> Bool {
    if let cancelHandler = cancelHandler.take() {
      cancelHandler.run()
      return true
    }
    if next == batch.count {
      let delivered = batch
      (batch, next) = (nextBatch(), 0)
      withExtendedLifetime(delivered) {}
    }
    guard next < batch.count else { return false }
    next += 1
    let listener = batch[next - 1].listener
    listener?.receive(outcome)
    return true
  }
}

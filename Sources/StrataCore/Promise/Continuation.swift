import Synchronization

extension Promise {
  /// The writing end of a pending promise, which settles the promise once, on any thread.
  ///
  /// Only the first outcome settles the promise. Later outcomes are ignored. Each function returns
  /// whether the promise was still pending. When the continuation is released without an outcome,
  /// the promise fails with ``CacheError/abandoned``. So don't capture the continuation in the
  /// closure of ``onCancel(_:)``, because then it would never be released.
  ///
  /// - Law: A promise settles exactly once. See
  ///   `ContinuationTests.testTheFirstAnswerCountsAndLaterOnesAreIgnored`.
  public final class Continuation: Sendable {
    @usableFromInline package let pending: Pending<Value>
    /// Whether a caller has passed an outcome. If so, `deinit` doesn't try to settle the promise,
    /// which would be slow, because `deinit` is never specialized.
    @usableFromInline let hasOutcome = Atomic(false)

    @inlinable
    init(_ pending: Pending<Value>) { self.pending = pending }

    deinit {
      if !hasOutcome.load(ordering: .relaxed) { pending.settle(.failure(CacheError.abandoned)) }
    }

    /// Fulfills the promise with a value.
    @inlinable
    @discardableResult
    public func succeed(_ value: Value) -> Bool { settle(.success(value)) }

    /// Fails the promise with an error.
    @inlinable
    @discardableResult
    public func fail(_ error: any Error) -> Bool { settle(.failure(error)) }

    /// Settles the promise with an outcome.
    @inlinable
    @discardableResult
    public func settle(_ outcome: Outcome) -> Bool {
      hasOutcome.store(true, ordering: .relaxed)
      return pending.settle(outcome)
    }

    /// Settles the promise. A waiting task resumes only when `tasks` resume.
    @inlinable
    package func settle(_ outcome: Outcome, holding tasks: inout HeldTasks) {
      hasOutcome.store(true, ordering: .relaxed)
      pending.settle(outcome, holding: &tasks)
    }

    /// Settles the promise on a thread that must run no code of the program. A task that waits alone
    /// resumes immediately. For all other listeners, calls `later` with a closure that calls them.
    @inlinable
    package func settle(_ outcome: Outcome, later: @escaping RunLater) {
      hasOutcome.store(true, ordering: .relaxed)
      _ = pending.settle(outcome, later: later)
    }

    /// Cancels the promise for every caller that holds it.
    @inlinable
    @discardableResult
    public func cancel() -> Bool { settle(.cancelled) }

    /// Sets the closure that stops the work when the promise is cancelled. Calling this function
    /// again replaces the closure.
    ///
    /// - Parameter stop: A closure that runs at most once, on the thread that cancels the promise.
    ///   If the promise is already cancelled, the closure runs before this function returns. After
    ///   a success or a failure, it doesn't run.
    @inlinable
    public func onCancel(_ stop: @escaping @Sendable () -> Void) { pending.onCancel(stop) }

    /// Whether the promise has settled. Work without a cancel handler can check this property to
    /// stop early.
    @inlinable
    public var isSettled: Bool { pending.outcome != nil }
  }
}

extension Promise.Continuation where Value == Void {
  /// Fulfills the promise.
  @inlinable
  @discardableResult
  public func succeed() -> Bool { succeed(()) }
}

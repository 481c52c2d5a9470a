extension Promise {
  /// The other end of a pending promise: settles it, once, from any thread.
  ///
  /// The first answer counts and later ones are ignored. A continuation that is let go without an
  /// answer fails its promise with ``CacheError/abandoned`` instead of leaving it to hang; so do
  /// not let the closure given to ``onCancel(_:)`` hold the continuation.
  ///
  /// - Law: settled exactly once; see
  ///   `ContinuationTests.testTheFirstAnswerCountsAndLaterOnesAreIgnored`.
  public final class Continuation: Sendable {
    @usableFromInline let pending: Pending<Value>

    @inlinable
    init(_ pending: Pending<Value>) { self.pending = pending }

    deinit { pending.settle(.failure(CacheError.abandoned)) }

    /// Keeps the promise; false if it had settled.
    @inlinable
    @discardableResult
    public func succeed(_ value: Value) -> Bool { pending.settle(.success(value)) }

    /// Fails the promise; false if it had settled.
    @inlinable
    @discardableResult
    public func fail(_ error: any Error) -> Bool { pending.settle(.failure(error)) }

    /// Ends the promise as `outcome` says; false if it had settled.
    @inlinable
    @discardableResult
    public func settle(_ outcome: Outcome) -> Bool { pending.settle(outcome) }

    /// Cancels the promise for all who hold it; false if it had settled.
    @inlinable
    @discardableResult
    public func cancel() -> Bool { pending.settle(.cancelled) }

    /// Sets what stops the work when the promise is cancelled, in place of an earlier one.
    ///
    /// Called at most once, on the thread that cancels; at once if that has happened already, and
    /// never after another end.
    @inlinable
    public func onCancel(_ stop: @escaping @Sendable () -> Void) { pending.stop(at: 1, stop) }

    /// Whether the promise has settled: work that is not stopped from outside may ask.
    @inlinable
    public var isSettled: Bool { pending.outcome != nil }
  }
}

extension Promise.Continuation where Value == Void {
  /// Keeps the promise; false if it had settled.
  @inlinable
  @discardableResult
  public func succeed() -> Bool { succeed(()) }
}

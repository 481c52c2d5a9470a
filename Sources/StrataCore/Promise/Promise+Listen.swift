extension Promise {
  /// Calls a closure with the value when the promise is fulfilled.
  ///
  /// The promise's work continues even if all other callers cancel.
  ///
  ///     pages.get(url).onSuccess { print($0) }.onFailure { print("nothing: \($0)") }
  ///
  /// - Parameter body: A closure that runs at most once. See ``onCompletion(_:)``.
  /// - Returns: This promise.
  @inlinable
  @discardableResult
  public func onSuccess(_ body: @escaping @Sendable (Value) -> Void) -> Promise {
    listen(isInterest: true) { if case .success(let value) = $0 { body(value) } }
  }

  /// Calls a closure with the error when the promise fails, without keeping the work going.
  /// Cancellations aren't failures.
  ///
  /// - Parameter body: A closure that runs at most once. See ``observed(_:)``.
  /// - Returns: This promise.
  @inlinable
  @discardableResult
  public func onFailure(_ body: @escaping @Sendable (any Error) -> Void) -> Promise {
    listen(isInterest: false) { if case .failure(let error) = $0 { body(error) } }
  }

  /// Calls a closure when the promise is cancelled, without keeping the work going.
  ///
  /// - Parameter body: A closure that runs at most once. See ``observed(_:)``.
  /// - Returns: This promise.
  @inlinable
  @discardableResult
  public func onCancel(_ body: @escaping @Sendable () -> Void) -> Promise {
    listen(isInterest: false) { if case .cancelled = $0 { body() } }
  }

  /// Calls a closure with the outcome when the promise settles.
  ///
  /// The promise's work continues even if all other callers cancel. To listen without keeping the
  /// work going, use ``observed(_:)``.
  ///
  /// - Parameter body: A closure that runs exactly once, on the thread that settles the promise.
  ///   When the outcome has already been delivered, the closure runs on the caller's thread, before
  ///   this function returns.
  /// - Returns: This promise.
  /// - Law: Every callback is called exactly once. See `PromiseLaws.testEveryCallbackIsCalledOnce`.
  @inlinable
  @discardableResult
  public func onCompletion(_ body: @escaping @Sendable (Outcome) -> Void) -> Promise {
    listen(isInterest: true, body)
  }

  /// Calls a closure with the outcome when the promise settles, without keeping the work going.
  ///
  /// When all waiting callers have cancelled, the work stops in spite of this listener.
  ///
  /// - Parameter body: A closure that runs exactly once, on the thread on which a closure of
  ///   ``onCompletion(_:)`` would run.
  /// - Returns: This promise.
  @inlinable
  @discardableResult
  public func observed(_ body: @escaping @Sendable (Outcome) -> Void) -> Promise {
    listen(isInterest: false, body)
  }

  /// Reports the end of an operation when the promise settles, without keeping the work going.
  @inlinable
  func counted(by counter: any OperationCounter, _ number: Int) {
    let end = OperationEnd(counter, number)
    if case .pending(let pending) = state { pending.count(end) } else { end.report() }
  }

  @inlinable
  @inline(never)
  func listen(
    isInterest: Bool, _ body: @escaping @Sendable (Outcome) -> Void
  ) -> Promise {
    if case .pending(let pending) = state {
      pending.listen(isInterest: isInterest, body).settled?.pass(to: body)
    } else {
      outcome?.pass(to: body)
    }
    return self
  }
}

extension Promise {
  /// Adds an interest, and passes the outcome to `body` when the promise settles.
  ///
  /// - Returns: The interest, or `nil` if the outcome was already available and has been passed to
  ///   `body`.
  @inlinable
  @inline(never)
  package func join(_ body: @escaping @Sendable (Outcome) -> Void) -> Interest? {
    guard case .pending(let pending) = state else {
      outcome?.pass(to: body)
      return nil
    }
    let (id, settled) = pending.listen(continuing: body)
    guard let settled else { return Interest(in: pending, id: id) }
    settled.pass(to: body)
    return nil
  }
}

extension Promise.Outcome {
  /// Calls a closure with this outcome. Because of `@inline(never)`, the compiler doesn't generate
  /// a specialized copy of the calling code for every closure.
  @inlinable
  @inline(never)
  func pass<Result>(to body: (Self) -> Result) -> Result { body(self) }
}

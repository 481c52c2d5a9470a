extension Promise {
  /// Calls `body` with the value when the promise is kept.
  ///
  /// An interest: it keeps the work going.
  ///
  ///     pages.get(url).onSuccess { print($0) }.onFailure { print("nothing: \($0)") }
  ///
  /// - Parameter body: Called at most once, on the thread that settles, or on the caller's before
  ///   this returns if all is settled and delivered already. So are those of the other four.
  /// - Returns: This promise itself, and none derived of it.
  @inlinable
  @discardableResult
  public func onSuccess(_ body: @escaping @Sendable (Value) -> Void) -> Promise {
    listen(isInterest: true) { if case .success(let value) = $0 { body(value) } }
  }

  /// Calls `body` with the error when the promise fails.
  ///
  /// It only watches: no interest is taken. A cancellation is no failure.
  @inlinable
  @discardableResult
  public func onFailure(_ body: @escaping @Sendable (any Error) -> Void) -> Promise {
    listen(isInterest: false) { if case .failure(let error) = $0 { body(error) } }
  }

  /// Calls `body` when the promise is cancelled.
  ///
  /// It only watches: no interest is taken.
  @inlinable
  @discardableResult
  public func onCancel(_ body: @escaping @Sendable () -> Void) -> Promise {
    listen(isInterest: false) { if case .cancelled = $0 { body() } }
  }

  /// Calls `body` when the promise has settled, whichever way.
  ///
  /// An interest: it keeps the work going. ``observed(_:)`` does the same and only watches.
  ///
  /// - Law: called exactly once; see `PromiseLaws.testEveryCallbackIsCalledOnce`.
  @inlinable
  @discardableResult
  public func onCompletion(_ body: @escaping @Sendable (Outcome) -> Void) -> Promise {
    listen(isInterest: true, body)
  }

  /// Calls `body` when the promise has settled, whichever way.
  ///
  /// It only watches: no interest is taken.
  ///
  /// - Law: called exactly once; see `PromiseLaws.testEveryCallbackIsCalledOnce`.
  @inlinable
  @discardableResult
  public func observed(_ body: @escaping @Sendable (Outcome) -> Void) -> Promise {
    listen(isInterest: false, body)
  }

  @inlinable
  func listen(
    isInterest: Bool, _ body: @escaping @Sendable (Outcome) -> Void
  ) -> Promise {
    switch state {
    case .success(let value): body(.success(value))
    case .failure(let error): body(.failure(error))
    case .cancelled: body(.cancelled)
    case .pending(let pending):
      let listening = pending.listen(isInterest: isInterest, .call(body))
      if case .settled(let outcome) = listening { body(outcome) }
    }
    return self
  }
}

/// One interest in a promise that is pending.
@usableFromInline
struct Interest: Sendable {
  /// Takes the interest back; the last one takes the work with it.
  ///
  /// Without effect the second time.
  @usableFromInline let withdraw: @Sendable () -> Void

  @inlinable
  init(withdraw: @escaping @Sendable () -> Void) { self.withdraw = withdraw }
}

extension Promise {
  /// Takes one interest and hands the outcome to `body`; `nil` if it was there and `body` was
  /// called.
  @inlinable
  func join(_ body: @escaping @Sendable (Outcome) -> Void) -> Interest? {
    guard case .pending(let pending) = state else {
      outcome.map(body)
      return nil
    }
    switch pending.listen(isInterest: true, .call(body)) {
    case .waiting(let id): return Interest { pending.withdraw(id) }
    case .settled(let outcome):
      body(outcome)
      return nil
    }
  }
}

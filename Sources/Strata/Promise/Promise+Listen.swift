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
  @discardableResult
  public func onSuccess(_ body: @escaping @Sendable (Value) -> Void) -> Promise {
    listen(isInterest: true) { if case .success(let value) = $0 { body(value) } }
  }

  /// Calls `body` with the error when the promise fails.
  ///
  /// It only watches: no interest is taken. A cancellation is no failure.
  @discardableResult
  public func onFailure(_ body: @escaping @Sendable (any Error) -> Void) -> Promise {
    listen(isInterest: false) { if case .failure(let error) = $0 { body(error) } }
  }

  /// Calls `body` when the promise is cancelled.
  ///
  /// It only watches: no interest is taken.
  @discardableResult
  public func onCancel(_ body: @escaping @Sendable () -> Void) -> Promise {
    listen(isInterest: false) { if case .cancelled = $0 { body() } }
  }

  /// Calls `body` when the promise has settled, whichever way.
  ///
  /// An interest: it keeps the work going. ``observed(_:)`` does the same and only watches.
  ///
  /// - Law: called exactly once; see `PromiseLaws.testEveryCallbackIsCalledOnce`.
  @discardableResult
  public func onCompletion(_ body: @escaping @Sendable (Outcome) -> Void) -> Promise {
    listen(isInterest: true, body)
  }

  /// Calls `body` when the promise has settled, whichever way.
  ///
  /// It only watches: no interest is taken.
  ///
  /// - Law: called exactly once; see `PromiseLaws.testEveryCallbackIsCalledOnce`.
  @discardableResult
  public func observed(_ body: @escaping @Sendable (Outcome) -> Void) -> Promise {
    listen(isInterest: false, body)
  }

  private func listen(
    isInterest: Bool, _ body: @escaping @Sendable (Outcome) -> Void
  ) -> Promise {
    switch state {
    case .settled(let outcome): body(outcome)
    case .pending(let pending):
      if case .settled(let outcome) = pending.listen(isInterest: isInterest, body) { body(outcome) }
    }
    return self
  }
}

/// One interest in a promise that is pending.
struct Interest: Sendable {
  /// Takes the interest back; the last one takes the work with it.
  ///
  /// Without effect the second time.
  let withdraw: @Sendable () -> Void
}

extension Promise {
  /// Takes one interest and hands the outcome to `body`; `nil` if it was there and `body` was called.
  func join(_ body: @escaping @Sendable (Outcome) -> Void) -> Interest? {
    switch state {
    case .settled(let outcome): body(outcome)
    case .pending(let pending):
      switch pending.listen(isInterest: true, body) {
      case .settled(let outcome): body(outcome)
      case .waiting(let id): return Interest { pending.withdraw(id) }
      }
    }
    return nil
  }
}

extension Pending {
  /// A promise of one's own that ends as this one does; `nil` if it was cancelled.
  ///
  /// Joining and withdrawing are one step each: whoever comes after the last one left gets `nil`.
  func joined() -> Promise<Value>? {
    let waiter = Pending()
    switch listen(isInterest: true, isJoin: true, { waiter.settle($0) }) {
    case .settled(.cancelled): return nil
    case .settled(let outcome): return Promise(outcome: outcome)
    case .waiting(let id):
      waiter.stop(at: 1) { withdraw(id) }
      return Promise(.pending(waiter))
    }
  }
}

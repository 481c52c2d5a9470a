extension Promise /* : Monad */ {
  /// Returns a promise of the value after `transform`.
  ///
  /// A failure or cancellation stays. Cancelling the result withdraws its interest in this promise.
  ///
  ///     try await Promise(20).map { $0 + 1 }.value  // 21
  ///
  /// - Parameter transform: Called at most once, on the thread that settles, or on the caller's if
  ///   the answer is there. If it throws, the result fails with its error.
  /// - Complexity: O(1). Nothing is allocated if the answer is there.
  /// - Law: `p.map(f) == p.flatMap { Promise(f($0)) }`: `promise.map`; see
  ///   `PromiseLaws.testMapAndFlatMapAgree`.
  @inlinable
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Promise<NewValue> {
    switch state {  // Looks before it makes any closure, which would allocate.
    case .success(let value):
      do { return Promise<NewValue>(.success(try transform(value))) } catch {
        return Promise<NewValue>(error: error)
      }
    case .failure(let error): return Promise<NewValue>(error: error)
    case .cancelled: return .cancelled
    case .pending:
      return flatMap { value in Promise<NewValue>(.success(try transform(value))) }
    }
  }

  /// Returns the promise that `transform` makes of the value; a failure or cancellation stays.
  ///
  /// Cancelling the result withdraws its interest in whichever of the two stages is running.
  ///
  ///     let page = Promise { try await api.user(1) }.flatMap { network.get($0.name) }
  ///
  /// - Parameter transform: Called at most once, on the thread that settles, or on the caller's if
  ///   the answer is there. If it throws, the result fails with its error.
  /// - Complexity: O(1), in stack too: a chain of a million links resolves in a loop.
  /// - Law: `Promise(x).flatMap(f) == f(x)`, `p.flatMap(Promise.init) == p` and associativity:
  ///   `promise.leftIdentity`, `promise.rightIdentity`, `promise.associativity`; see `PromiseLaws`.
  @inlinable
  public func flatMap<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> Promise<NewValue>
  ) -> Promise<NewValue> {
    switch state {  // Each case for itself: a copy of the outcome would be made for nothing.
    case .success(let value):
      do { return try transform(value) } catch { return Promise<NewValue>(error: error) }
    case .failure(let error): return Promise<NewValue>(error: error)
    case .cancelled: return .cancelled
    case .pending(let pending): return pending.derive { $0.flatMap(transform) }
    }
  }

  /// Returns the promise that `transform` makes of the outcome, whichever it is.
  @inlinable
  func flatMapOutcome<NewValue>(
    _ transform: @escaping @Sendable (Outcome) -> Promise<NewValue>
  ) -> Promise<NewValue> {
    switch state {
    case .success(let value): transform(.success(value))
    case .failure(let error): transform(.failure(error))
    case .cancelled: transform(.cancelled)
    case .pending(let pending): pending.derive(transform)
    }
  }
}

extension Promise.Outcome {
  @inlinable
  func flatMap<NewValue>(
    _ transform: (Value) throws -> Promise<NewValue>
  ) -> Promise<NewValue> {
    switch self {
    case .success(let value):
      do { return try transform(value) } catch { return Promise<NewValue>(error: error) }
    case .failure(let error): return Promise<NewValue>(error: error)
    case .cancelled: return .cancelled
    }
  }
}

extension Pending {
  @inlinable
  func derive<NewValue>(
    _ transform: @escaping @Sendable (Outcome) -> Promise<NewValue>
  ) -> Promise<NewValue> {
    let derived = Pending<NewValue>()
    let listener = Listener.call { outcome in
      if derived.outcome == nil { derived.follow(transform(outcome), at: 2) }
    }
    switch listen(isInterest: true, listener) {
    case .settled(let outcome): return transform(outcome)
    case .waiting(let id):
      derived.stop(at: 1) { withdraw(id) }
      return Promise<NewValue>(.pending(derived))
    }
  }

  /// Ends as another promise ends, with one interest in it, withdrawn when this one is cancelled.
  @inlinable
  func follow(_ promise: Promise<Value>, at stage: Int) {
    guard case .pending(let other) = promise.state else {
      if let outcome = promise.outcome { settle(outcome) }
      return
    }
    switch other.listen(isInterest: true, .settle(self)) {
    case .settled(let outcome): settle(outcome)
    case .waiting(let id): stop(at: stage, .withdraw(other, id: id))
    }
  }
}

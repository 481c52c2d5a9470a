extension Promise /* : Monad */ {
  /// Returns a promise whose value is this promise's value, transformed by a closure.
  ///
  /// Failures and cancellations are passed on unchanged. Cancelling the result stops the work of
  /// this promise, unless another caller needs this work.
  ///
  ///     try await Promise(20).map { $0 + 1 }.value  // 21
  ///
  /// - Parameter transform: A closure that runs at most once, on the thread that settles this
  ///   promise. When the outcome is already available, it runs on the caller's thread. When it
  ///   throws, the result fails with that error.
  /// - Complexity: O(1). This function doesn't allocate if the outcome is already available.
  /// - Law: `p.map(f) == p.flatMap { Promise(f($0)) }`. See the law `promise.map` in
  ///   `PromiseLaws.testMapAndFlatMapAgree`.
  @inlinable
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Promise<NewValue> {
    switch state {  // A settled promise needs no closure on the heap.
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

  /// Returns the promise that a closure creates from the value.
  ///
  /// Failures and cancellations are passed on unchanged. Cancelling the result stops the work that
  /// the result currently waits for, unless another caller needs that work.
  ///
  ///     let page = Promise { try await api.user(1) }.flatMap { network.get($0.name) }
  ///
  /// - Parameter transform: A closure that runs at most once. See ``map(_:)``.
  /// - Complexity: O(1) in time and in stack space. Chains of a million promises settle in a loop,
  ///   without recursion.
  /// - Law: `Promise(x).flatMap(f) == f(x)` and `p.flatMap(Promise.init) == p`, and `flatMap` is
  ///   associative. See the laws `promise.leftIdentity`, `promise.rightIdentity`, and
  ///   `promise.associativity` in `PromiseLaws`.
  @inlinable
  public func flatMap<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> Promise<NewValue>
  ) -> Promise<NewValue> {
    switch state {  // Separate cases avoid a copy of the outcome.
    case .success(let value):
      do { return try transform(value) } catch { return Promise<NewValue>(error: error) }
    case .failure(let error): return Promise<NewValue>(error: error)
    case .cancelled: return .cancelled
    case .pending(let pending): return pending.derive { $0.flatMap(transform) }
    }
  }

  /// Returns the promise that a closure creates from the outcome, even from a failure or a
  /// cancellation.
  @inlinable
  @inline(never)
  package func flatMapOutcome<NewValue>(
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
  @inline(never)
  func derive<NewValue>(
    _ transform: @escaping @Sendable (Outcome) -> Promise<NewValue>
  ) -> Promise<NewValue> {
    let derived = Pending<NewValue>()
    let (id, settled) = listen(continuing: { outcome in
      if derived.outcome == nil { derived.follow(transform(outcome)) }
    })
    if let settled { return settled.pass(to: transform) }
    derived.onCancel(.withdraw(Interest(in: self, id: id)))
    return Promise<NewValue>(.pending(derived))
  }

  /// Settles this promise with the outcome of another promise. Cancelling this promise also cancels
  /// the other promise, unless another caller needs it.
  @inlinable
  @inline(never)
  package func follow(_ promise: Promise<Value>) {
    guard case .pending(let other) = promise.state else {
      if let outcome = promise.outcome { settle(outcome) }
      return
    }
    let (id, settled) = other.listen(isInterest: true, settling: self)
    if let settled {
      settle(settled)
    } else {
      onCancel(at: .last, .withdraw(Interest(in: other, id: id)))
    }
  }
}

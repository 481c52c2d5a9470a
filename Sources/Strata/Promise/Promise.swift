/// One answer, now or later: eager, one-shot and memoising.
///
/// Work has begun when you hold a promise; it settles once, as success, failure or cancellation,
/// and a listener added late is still called. An answer that is already there lies in the promise
/// itself: only a pending one allocates.
///
///     let price = Promise { try await fetchPrice() }.map { $0 * 2 }  // has begun
///     try await price.value
///
/// Callbacks run on the thread that settles, or at once on the caller's when all is delivered
/// already; those of one promise run in the order in which they were registered, and what a
/// callback sets off runs after it has returned. A function that calls itself from `flatMap` on
/// promises that are ready uses the stack like any recursion; chains built link by link use none.
///
/// - Law: settled exactly once, and the three monad laws: `Laws.exactlyOnce`,
///   `Laws.promise`; see `PromiseLaws`.
public struct Promise<Value: Sendable>: Sendable {
  /// Flat, with no outcome in it: each level of enums would cost a hit a byte of its own to put
  /// together and take apart.
  @usableFromInline
  enum State: Sendable {
    case success(Value)
    case failure(any Error)
    case cancelled
    case pending(Pending<Value>)
  }

  @usableFromInline let state: State

  @inlinable
  init(_ state: State) { self.state = state }

  /// Makes a promise that ended with `outcome` already.
  @inlinable
  public init(outcome: Outcome) {
    switch outcome {
    case .success(let value): state = .success(value)
    case .failure(let error): state = .failure(error)
    case .cancelled: state = .cancelled
    }
  }

  /// Makes a promise that is kept already.
  @_disfavoredOverload  // Of a closure the work is meant, and not a promise of the closure.
  @inlinable
  public init(_ value: Value) { state = .success(value) }

  /// Makes a promise that failed already.
  @inlinable
  public init(error: any Error) { state = .failure(error) }

  /// Makes a promise of the value if there is one, and of the error otherwise.
  ///
  ///     let number = Promise(Int("42"), or: CacheError.notFound)
  @inlinable
  public init(_ value: Value?, or error: @autoclosure () -> any Error) {
    state = value.map { .success($0) } ?? .failure(error())
  }

  /// Makes a promise that work elsewhere settles.
  ///
  ///     let page = Promise<Data> { continuation in
  ///       let task = client.start { continuation.succeed($0) }
  ///       continuation.onCancel { task.cancel() }
  ///     }
  ///
  /// - Parameter work: Starts the work; called once, before the initialiser returns, on the
  ///   caller's thread. A continuation that is let go without an answer fails the promise with
  ///   ``CacheError/abandoned``.
  @inlinable
  public init(_ work: (Continuation) -> Void) {
    let pending = Pending<Value>()
    work(Continuation(pending))
    self = pending.promise
  }

  /// A promise that was cancelled before it began.
  @inlinable
  public static var cancelled: Promise { Promise(.cancelled) }

  /// How the promise ended, or `nil` while it is pending.
  @inlinable
  public var outcome: Outcome? {
    switch state {
    case .success(let value): .success(value)
    case .failure(let error): .failure(error)
    case .cancelled: .cancelled
    case .pending(let pending): pending.outcome
    }
  }

  /// The value, as soon as it is there.
  ///
  /// Looks before it suspends, and does not leave the caller's actor. The awaiting task is an
  /// interest: when it is cancelled, only its own interest is withdrawn and it gets
  /// `CancellationError` at once.
  ///
  /// - Throws: The error of a failure; `CancellationError` for a cancellation.
  @inlinable
  public nonisolated(nonsending) var value: Value {
    get async throws {
      switch state {
      case .success(let value): return value
      case .failure(let error): throw error
      case .cancelled: throw CancellationError()
      case .pending(let pending):
        if let outcome = pending.outcome { return try outcome.get() }
        return try await awaited()
      }
    }
  }

  /// Settles this promise as cancelled for all who hold it, and stops the work beneath.
  ///
  /// Without effect on a promise that has settled. Safe from any thread. One of several who share a
  /// load withdraws by cancelling a promise of its own, as ``map(_:)`` makes it.
  @inlinable
  public func cancel() {
    guard case .pending(let pending) = state else { return }
    pending.settle(.cancelled)
  }
}

extension Promise where Value == Void {
  /// Makes a promise of something that is done already.
  @inlinable
  public init() { self.init(()) }
}

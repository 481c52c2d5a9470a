/// A value that is available now or later.
///
/// When a caller receives a promise, the promise's work has already started. The promise settles
/// once, with a success, a failure, or a cancellation. It stores this outcome, so it also calls
/// listeners that are added later. A settled promise stores the outcome in the struct itself, so
/// only a pending promise allocates memory.
///
///     let price = Promise { try await fetchPrice() }.map { $0 * 2 }  // has started
///     try await price.value
///
/// Callbacks run on the thread that settles the promise, in the order in which they were added. But
/// a callback that is added after the outcome has been delivered runs immediately, on the caller's
/// thread. When a callback settles another promise, the callbacks of that promise run after this
/// callback has returned.
///
/// A chain of promises settles in constant stack space, however long the chain is. But `flatMap` on
/// a settled promise calls its closure immediately, so a closure that recurses through `flatMap`
/// uses stack space.
///
/// - Law: A promise settles exactly once, and the three monad laws hold. See `Laws.exactlyOnce`,
///   `Laws.promise`, and `PromiseLaws`.
public struct Promise<Value: Sendable>: Sendable {
  /// The state of a promise. It doesn't contain an `Outcome`, because packing and unpacking a
  /// nested enum would slow down every hit.
  @usableFromInline
  package enum State: Sendable {
    case success(Value)
    case failure(any Error)
    case cancelled
    case pending(Pending<Value>)
  }

  @usableFromInline package let state: State

  @inlinable
  package init(_ state: State) { self.state = state }

  /// Creates a settled promise from an outcome.
  @inlinable
  public init(outcome: Outcome) {
    switch outcome {
    case .success(let value): state = .success(value)
    case .failure(let error): state = .failure(error)
    case .cancelled: state = .cancelled
    }
  }

  /// Creates a fulfilled promise.
  @_disfavoredOverload  // Makes the compiler treat a closure as the work, not as the value.
  @inlinable
  public init(_ value: Value) { state = .success(value) }

  /// Creates a failed promise.
  @inlinable
  public init(error: any Error) { state = .failure(error) }

  /// Creates a promise that is fulfilled with a value, or fails with an error if the value is
  /// `nil`.
  ///
  ///     let number = Promise(Int("42"), or: CacheError.notFound)
  @inlinable
  public init(_ value: Value?, or error: @autoclosure () -> any Error) {
    state = value.map { .success($0) } ?? .failure(error())
  }

  /// Creates a promise that a continuation settles later.
  ///
  ///     let page = Promise<Data> { continuation in
  ///       let task = client.start { continuation.succeed($0) }
  ///       continuation.onCancel { task.cancel() }
  ///     }
  ///
  /// - Parameter work: A closure that starts the work. It runs once, on the caller's thread, before
  ///   the initializer returns. When the continuation is released without an outcome, the promise
  ///   fails with ``CacheError/abandoned``.
  @inlinable
  public init(_ work: (Continuation) -> Void) {
    let pending = Pending<Value>()
    work(Continuation(pending))
    self = pending.promise
  }

  /// A cancelled promise, for work that never starts.
  @inlinable
  public static var cancelled: Promise { Promise(.cancelled) }

  /// The outcome, or `nil` while the promise is pending.
  @inlinable
  public var outcome: Outcome? {
    switch state {
    case .success(let value): .success(value)
    case .failure(let error): .failure(error)
    case .cancelled: .cancelled
    case .pending(let pending): pending.outcome
    }
  }

  /// The value. Reading this property suspends the task until the value is available.
  ///
  /// When the promise has settled, reading doesn't suspend, and the task stays on the caller's
  /// actor. When the waiting task is cancelled, reading throws `CancellationError` immediately.
  /// Then the work stops, unless another caller needs it.
  ///
  /// - Throws: The error of a failure, or `CancellationError` for a cancellation.
  @inlinable
  public nonisolated(nonsending) var value: Value {
    get async throws {
      switch state {
      case .success(let value): return value
      case .failure(let error): throw error
      case .cancelled: throw CancellationError()
      case .pending(let pending):
        if let outcome = pending.outcome { return try outcome.get() }
        return try await Self.awaited(pending)
      }
    }
  }

  /// Cancels this promise for every caller that holds it, and stops its work.
  ///
  /// Cancelling a settled promise has no effect. You can call this function on any thread. To stop
  /// waiting without affecting other callers, derive a promise from this one, for example with
  /// ``map(_:)``, and cancel the derived promise.
  @inlinable
  public func cancel() {
    guard case .pending(let pending) = state else { return }
    pending.settle(.cancelled)
  }

  /// Fails this promise for every caller that holds it, and stops its work.
  func stop(_ error: any Error) {
    if case .pending(let pending) = state { pending.stop(error) }
  }
}

extension Promise where Value == Void {
  /// Creates a fulfilled promise without a value.
  @inlinable
  public init() { self.init(()) }
}

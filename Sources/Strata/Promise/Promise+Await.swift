import Dispatch

extension Promise {
  /// Suspends until the promise settles, or the task that waits is cancelled.
  @usableFromInline
  nonisolated(nonsending) func awaited() async throws -> Value {
    let waiter = Waiter<Value>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter.wait(for: self, $0) }
    } onCancel: {
      waiter.giveUp()
    }
  }

  /// Blocks this thread until the promise settles: for scripts and tests.
  ///
  /// What callbacks on this thread have set off runs first. Not for async functions, which would
  /// block a thread that others need: they have ``value``.
  ///
  ///     let page = try pages.get(url).wait(for: .seconds(10))
  ///
  /// - Parameter limit: How long to wait; without a limit if `nil`.
  /// - Throws: As ``value``, and ``CacheError/timedOut`` after `limit`, with the interest
  ///   withdrawn.
  @available(*, noasync, message: "write try await promise.value")
  public func wait(for limit: Duration? = nil) throws -> Value {
    Trampoline.drain()
    if let outcome { return try outcome.get() }
    let settled = DispatchSemaphore(value: 0)
    let interest = join { _ in settled.signal() }
    let deadline = limit.map { .now() + $0.dispatchInterval } ?? DispatchTime.distantFuture
    let isLate = settled.wait(timeout: deadline) == .timedOut
    if isLate, outcome == nil {
      interest?.withdraw()
      throw CacheError.timedOut
    }
    return try outcome?.get() ?? { throw CacheError.abandoned }()
  }
}

/// A task that waits for a promise: resumed once, by the promise or by its own cancellation.
private struct Waiter<Value: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value, any Error>)
    case resumed
  }

  private let state = Lock((state: State.new, interest: nil as Interest?))

  func wait(for promise: Promise<Value>, _ continuation: CheckedContinuation<Value, any Error>) {
    let isCancelled = state.withLock { waiter in
      if case .resumed = waiter.state { return true }
      waiter.state = .waiting(continuation)
      return false
    }
    // Who is cancelled already joins too, and leaves at once: nobody else may want the work.
    let interest = promise.join { outcome in
      take().0?.resume(with: Result { try outcome.get() })
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    let isTooLate = state.withLock { waiter in
      if case .resumed = waiter.state { return true }
      waiter.interest = interest
      return false
    }
    if isTooLate { interest?.withdraw() }
  }

  func giveUp() {
    let (continuation, interest) = take()
    interest?.withdraw()
    continuation?.resume(throwing: CancellationError())
  }

  private func take() -> (CheckedContinuation<Value, any Error>?, Interest?) {
    state.withLock { waiter in
      defer { waiter = (.resumed, nil) }
      guard case .waiting(let continuation) = waiter.state else { return (nil, waiter.interest) }
      return (continuation, waiter.interest)
    }
  }
}

import Dispatch

extension Promise {
  /// Suspends until the promise settles or the waiting task is cancelled.
  @usableFromInline
  nonisolated(nonsending) func awaited() async throws -> Value {
    let waiter = Waiter<Value>()
    if case .pending(let pending) = state { PromiseTask.awaits(pending) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter.wait(for: self, $0) }
    } onCancel: {
      waiter.giveUp()
    }
  }

  /// Blocks the current thread until the promise settles. Use this function only in scripts and
  /// tests.
  ///
  /// Before it blocks, this function runs the queued callbacks of the current thread. In async
  /// functions, use ``value`` instead, because blocking a thread of Swift's cooperative thread pool
  /// delays other tasks.
  ///
  ///     let page = try pages.get(url).wait(for: .seconds(10))
  ///
  /// - Parameter limit: The maximum time to wait. By default, there is no limit.
  /// - Throws: The error of a failure, or `CancellationError` for a cancellation. If the promise
  ///   doesn't settle within `limit`, this function throws
  ///   ``CacheError/timedOut(stage:after:key:)``, and the work stops unless another caller needs
  ///   it.
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
      throw CacheError.timedOut(after: limit)
    }
    return try outcome?.get() ?? { throw CacheError.abandoned }()
  }
}

/// A task that waits for a promise. The task is resumed exactly once, either by the promise or by
/// the task's cancellation.
private struct Waiter<Value: Sendable>: Sendable {
  private typealias State = (
    continuation: CheckedContinuation<Value, any Error>?, interest: Interest?, isResumed: Bool
  )

  private let state = Lock<State>((nil, nil, false))

  func wait(for promise: Promise<Value>, _ continuation: CheckedContinuation<Value, any Error>) {
    let isCancelled = state.withLock { waiter in
      if !waiter.isResumed { waiter.continuation = continuation }
      return waiter.isResumed
    }
    // A task that has been cancelled also joins the promise, and then withdraws. The promise's work
    // then stops unless another caller needs it.
    let interest = promise.join { outcome in
      take().continuation?.resume(with: Result { try outcome.get() })
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    let isTooLate = state.withLock { waiter in
      if !waiter.isResumed { waiter.interest = interest }
      return waiter.isResumed
    }
    if isTooLate { interest?.withdraw() }
  }

  func giveUp() {
    let waiter = take()
    waiter.interest?.withdraw()
    waiter.continuation?.resume(throwing: CancellationError())
  }

  private func take() -> State {
    state.withLock { waiter in
      defer { waiter = (nil, nil, true) }
      return waiter
    }
  }
}

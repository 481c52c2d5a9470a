extension Promise {
  /// Creates a promise of an async function's result, and runs the function in a new task.
  ///
  /// Cancelling the promise cancels the task. If the function throws `CancellationError` without
  /// having been cancelled, the promise fails with that error.
  ///
  /// - Parameter work: A closure called once, in the task.
  public init(_ work: @escaping @Sendable () async throws -> Value) {
    self.init(running: work, then: {})
  }

  /// Runs an async function in a new task, and calls `end` when the task has ended.
  ///
  /// The task ends after the promise has settled. If a cancelled task keeps running, it may end
  /// much later.
  init(
    running work: @escaping @Sendable () async throws -> Value,
    then end: @escaping @Sendable () -> Void
  ) {
    let pending = Pending<Value>()
    let task = Task {
      do { pending.settle(.success(try await work())) } catch { pending.settle(.failure(error)) }
      end()
    }
    pending.stop(at: 1) { task.cancel() }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      pending.work(is: PendingWork { task.escalatePriority(to: $0) })
    }
    state = .pending(pending)
  }

  /// Creates a promise of a function's result, and runs the function in a new task.
  ///
  /// - Parameter work: A closure called once, in the task.
  public init(_ work: @escaping @Sendable () throws -> Value) {
    self.init { () async throws -> Value in try work() }
  }
}

extension Promise {
  /// Makes a promise of what an async function returns, run in a task of its own.
  ///
  /// Cancelling the promise cancels the task. A function that throws `CancellationError` without
  /// having been cancelled has failed.
  ///
  /// - Parameter work: Called once.
  public init(_ work: @escaping @Sendable () async throws -> Value) {
    self.init(running: work, then: {})
  }

  /// Makes a promise of what an async function returns, and calls `end` when its task has ended:
  /// after the promise has settled, and long after it if it was cancelled and the task goes on.
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
    state = .pending(pending)
  }

  /// Makes a promise of what a function returns, run in a task of its own.
  ///
  /// - Parameter work: Called once.
  public init(_ work: @escaping @Sendable () throws -> Value) {
    self.init { () async throws -> Value in try work() }
  }
}

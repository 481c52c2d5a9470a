extension Promise {
  /// Creates a promise of an async function's result, and runs the function in a new task.
  ///
  /// Cancelling the promise cancels the task. When the function throws `CancellationError` although
  /// its task wasn't cancelled, the promise fails with that error.
  ///
  /// - Parameter work: A closure that runs once, in the task.
  public init(_ work: @escaping @Sendable () async throws -> Value) {
    let tasks = BegunTasks.begin()
    self.init(running: work) { tasks?.leave() }
  }

  /// Runs an async function in a new task, and calls `end` when the function has ended.
  ///
  /// This function calls `end` after the promise has settled. Cancelled promises settle
  /// immediately, even if their tasks run for a long time.
  init(
    running work: @escaping @Sendable () async throws -> Value,
    then end: @escaping @Sendable () -> Void
  ) {
    let pending = Pending<Value>()
    let task = Task {
      do {
        pending.settle(.success(try await work()))
      } catch {
        pending.settle(.failure(error))
      }
      end()
    }
    pending.onCancel { task.cancel() }
    state = .pending(pending)
  }

  /// Creates a promise of a function's result, and runs the function in a new task.
  ///
  /// - Parameter work: A closure that runs once, in the task.
  public init(_ work: @escaping @Sendable () throws -> Value) {
    self.init { () async throws -> Value in try work() }
  }
}

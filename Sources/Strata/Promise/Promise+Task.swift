extension Promise {
  /// Creates a promise of an async function's result, and runs the function in a new task.
  ///
  /// Cancelling the promise cancels the task. If the function throws `CancellationError` but its
  /// task wasn't cancelled, the promise fails with that error.
  ///
  /// - Parameter work: A closure called once, in the task.
  public init(_ work: @escaping @Sendable () async throws -> Value) {
    self.init(running: work, then: {})
  }

  /// Runs an async function in a new task, and calls `end` when the function has ended.
  ///
  /// The function `end` is called after the promise has settled. A cancelled promise settles
  /// immediately, even if its task keeps running for a long time.
  init(
    running work: @escaping @Sendable () async throws -> Value,
    then end: @escaping @Sendable () -> Void
  ) {
    let pending = Pending<Value>()
    let handle = TaskHandle()
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      pending.work(is: PendingWork { handle.raise(to: $0) })
    }
    let task = Task {
      do {
        let value = try await PromiseTask.$current.withValue(
          PromiseTask(of: pending), operation: work)
        pending.settle(.success(value))
      } catch {
        pending.settle(.failure(error))
      }
      end()
    }
    pending.stop(at: 1) { task.cancel() }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { handle.begin(task) }
    state = .pending(pending)
  }

  /// Creates a promise of a function's result, and runs the function in a new task.
  ///
  /// - Parameter work: A closure called once, in the task.
  public init(_ work: @escaping @Sendable () throws -> Value) {
    self.init { () async throws -> Value in try work() }
  }
}

/// A handle that raises the priority of a task. If `raise(to:)` is called before the task exists,
/// `begin(_:)` raises the priority.
private struct TaskHandle: Sendable {
  private let state = Lock<(task: Task<Void, Never>?, wanted: TaskPriority?)>((nil, nil))

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func raise(to priority: TaskPriority) {
    let task = state.withLock { state in
      state.wanted = max(state.wanted ?? priority, priority)
      return state.task
    }
    task?.escalatePriority(to: priority)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func begin(_ task: Task<Void, Never>) {
    let wanted = state.withLock { state in
      state.task = task
      return state.wanted
    }
    if let wanted { task.escalatePriority(to: wanted) }
  }
}

/// A reference to the promise that the current task settles.
///
/// Through this reference, a task records the promise that it's awaiting. A time limit uses this
/// record to exclude the time that the awaited promise spends in a queue. The library also uses the
/// record to pass an urgent caller's priority to the work of the awaited promise.
struct PromiseTask: Sendable {
  @TaskLocal static var current: PromiseTask?

  private let pending: any PendingSource
  /// The hash value of the task. Child tasks inherit `current` but have different hash values, so
  /// `awaits` ignores the promises that child tasks await.
  private let task = Self.currentTask

  init(of pending: any PendingSource) { self.pending = pending }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Records that the current task awaits a promise.
  static func awaits(_ source: any PendingSource) {
    guard let current, current.task == currentTask else { return }
    current.pending.source(is: source)
  }
}

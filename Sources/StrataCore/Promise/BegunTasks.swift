import Foundation

/// The tasks that an operation has begun. They may outlive the operation, because an async function
/// may ignore a cancellation. Then its task continues after the operation has settled.
///
/// Code that must wait for such tasks calls the operation through `collect`, which counts each task
/// that the operation begins before it returns. Because the counter is in a slot of the thread, an
/// operation that begins no task allocates nothing.
///
/// An operation may also wait for a promise, and begin its tasks on the thread that settles this
/// promise. So each step that waits takes a `Share`, with which it later opens the counter on that
/// thread.
package final class BegunTasks: Sendable {
  private struct State {
    /// The number of running tasks and waiting steps, plus one for the operation.
    var count = 1
    var end: (@Sendable () -> Void)?
    /// The tasks of the operation that has called this one, if those tasks are also collected.
    var outer: BegunTasks?
  }

  private let state = Lock(State())

  fileprivate func enter() { state.withLock { $0.count += 1 } }

  /// Records that a task has ended.
  package func leave() {
    var next: BegunTasks? = self
    while let tasks = next {
      let end: (@Sendable () -> Void)?
      (next, end) = tasks.state.withLock { state in
        state.count -= 1
        return state.count == 0 ? (state.outer.take(), state.end.take()) : (nil, nil)
      }
      end?()
    }
  }

  /// Calls a closure when the operation has settled and all tasks have ended.
  package func whenEnded<Value>(_ answer: Promise<Value>, _ end: @escaping @Sendable () -> Void) {
    state.withLock { $0.end = end }
    answer.observed { _ in self.leave() }
  }

  /// Calls an operation. Returns its answer, and the tasks that it has begun. Instead of the tasks,
  /// returns `nil` if the operation has begun none and can't begin any later.
  ///
  /// - Parameter isPart: Whether the operation may be part of another one that this thread is
  ///   calling. The tasks of a part also belong to the whole operation.
  package static func collect<Value>(
    isPart: Bool, _ operation: () -> Promise<Value>
  ) -> (answer: Promise<Value>, tasks: BegunTasks?) {
    let slot = Slot.ofThisThread
    let (answer, tasks) = slot.open(for: nil, operation)
    if let tasks, isPart, let outer = begin() { tasks.state.withLock { $0.outer = outer } }
    return (answer, tasks)
  }

  /// Counts a task that this thread will begin, if a caller collects the tasks. At its end, the
  /// task calls `leave()`.
  package static func begin() -> BegunTasks? {
    guard let slot = Slot.known, slot.isOpen else { return nil }
    let tasks = slot.tasks ?? BegunTasks()
    slot.tasks = tasks
    tasks.enter()
    return tasks
  }

  private final class Slot {
    var tasks: BegunTasks?
    var isOpen = false

    private static let key = makeThreadKey()

    /// Collects tasks while a closure runs. Returns the tasks that have been collected.
    func open<Result>(
      for tasks: BegunTasks?, _ body: () -> Result
    ) -> (result: Result, tasks: BegunTasks?) {
      let outer = (self.tasks, isOpen)
      (self.tasks, isOpen) = (tasks, true)
      let result = body()
      let tasks = self.tasks
      (self.tasks, isOpen) = outer
      return (result, tasks)
    }

    /// The slot of this thread, if this thread has ever collected tasks.
    static var known: Slot? {
      pthread_getspecific(key).map { Unmanaged<Slot>.fromOpaque($0).takeUnretainedValue() }
    }

    static var ofThisThread: Slot {
      if let known { return known }
      let new = Slot()
      pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
      return new
    }
  }
}

extension BegunTasks {
  /// A step of an operation that waits for a promise, a queue, or a timer. The operation's tasks
  /// haven't ended before the share has ended or has been released.
  package final class Share: Sendable {
    private let tasks: Lock<BegunTasks?>

    fileprivate init(of tasks: BegunTasks) { self.tasks = Lock(tasks) }

    deinit { end() }

    /// Runs the step, whose tasks are then counted, and ends the share.
    package func run(_ step: () -> Void) {
      guard let tasks = tasks.withLock({ $0.take() }) else { return step() }
      _ = Slot.ofThisThread.open(for: tasks, step)
      tasks.leave()
    }

    /// Gives up this share of the tasks, unless the step has begun.
    package func end() { tasks.withLock { $0.take() }?.leave() }
  }

  /// Returns a share for a step that this thread leaves waiting, or `nil` if no caller collects the
  /// tasks.
  package static func share() -> Share? { begin().map { Share(of: $0) } }
}

extension Listener {
  /// Returns a listener that continues an operation, so the tasks that it begins belong to this
  /// operation.
  @usableFromInline
  static func step(_ body: @escaping @Sendable (UnsafeRawPointer) -> Void) -> Listener {
    guard let share = BegunTasks.share() else { return .call(body) }
    return .call { outcome in share.run { body(outcome) } }
  }
}

import Foundation

/// The tasks that a get has begun. They may outlive the get, because an async function may ignore a
/// cancellation. Then its task continues after the get has settled.
///
/// Code that must wait for such tasks calls the get through `collect`, which counts each task that
/// the get begins before it returns. Because the counter is in a slot of the thread, a get that
/// begins no task allocates nothing.
package final class BegunTasks: Sendable {
  private struct State {
    /// The number of running tasks, plus one for the get.
    var count = 1
    var end: (@Sendable () -> Void)?
    /// The tasks of the get that has called this get, if that get's tasks are also collected.
    var outer: BegunTasks?
  }

  private let state = Lock(State())

  fileprivate func enter() { state.withLock { $0.count += 1 } }

  /// Records that a task has ended.
  func leave() {
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

  /// Calls a closure when the get has settled and all tasks have ended.
  package func whenEnded<Value>(_ answer: Promise<Value>, _ end: @escaping @Sendable () -> Void) {
    state.withLock { $0.end = end }
    answer.observed { _ in self.leave() }
  }

  /// Calls a get. Returns its answer, and the tasks that it has begun, or `nil` if it has begun
  /// none.
  ///
  /// - Parameter isPart: Whether the get is part of another get that this thread may be calling. If
  ///   so, the tasks belong to both gets.
  package static func collect<Value>(
    isPart: Bool, _ get: () -> Promise<Value>
  ) -> (answer: Promise<Value>, tasks: BegunTasks?) {
    let slot = Slot.ofThisThread
    let (outer, isOpen) = (slot.tasks, slot.isOpen)
    (slot.tasks, slot.isOpen) = (nil, true)
    let answer = get()
    let tasks = slot.tasks
    (slot.tasks, slot.isOpen) = (outer, isOpen)
    if let tasks, isPart, let outer = begin() { tasks.state.withLock { $0.outer = outer } }
    return (answer, tasks)
  }

  /// Counts a task that this thread will begin, if a caller collects the tasks. At its end, the
  /// task calls `leave()`.
  static func begin() -> BegunTasks? {
    let slot = Slot.ofThisThread
    guard slot.isOpen else { return nil }
    let tasks = slot.tasks ?? BegunTasks()
    slot.tasks = tasks
    tasks.enter()
    return tasks
  }

  private final class Slot {
    var tasks: BegunTasks?
    var isOpen = false

    private static let key = makeThreadKey()

    static var ofThisThread: Slot {
      if let known = pthread_getspecific(key) {
        return Unmanaged<Slot>.fromOpaque(known).takeUnretainedValue()
      }
      let new = Slot()
      pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
      return new
    }
  }
}

import Dispatch

/// Waiting tasks to resume together, after their promises have settled.
///
/// When tasks resume one by one, each of them can wake a thread of its own. So code that settles
/// many promises in a row holds the tasks, and resumes them at the end.
@usableFromInline
package struct HeldTasks {
  /// The maximum number of held tasks, so the first one doesn't wait too long.
  private static let most = 64

  private var waiters: [Waiter] = []

  package init() {}

  @usableFromInline
  mutating func add(_ waiter: Waiter) {
    waiters.append(waiter)
    if waiters.count == Self.most { resume() }
  }

  /// Resumes all held tasks, in the order in which their promises settled.
  @usableFromInline
  package mutating func resume() {
    for waiter in waiters { waiter.resume() }
    waiters.removeAll(keepingCapacity: true)
  }
}

extension Pending {
  /// Settles the promise. If the only listener is a task, adds the task to `tasks`. Other listeners
  /// are called immediately, after the held tasks have resumed, because a listener might block
  /// this thread until one of these tasks has continued.
  @inlinable
  @inline(never)
  func settle(_ outcome: Outcome, holding tasks: inout HeldTasks) {
    guard let end = state.withLock({ $0.settle(outcome) }) else { return }
    if let waiter = end.waiter {
      end.counted?.reportHolding()
      return tasks.add(waiter)
    }
    guard end.isDue || end.counted != nil else { return }
    tasks.resume()
    deliver(outcome, end)
  }
}

extension OperationEnd {
  /// Reports the end while tasks are held. Whoever waits for the end of all operations learns about
  /// it on another thread, because it might block this one until a held task has continued.
  @usableFromInline
  func reportHolding() { report { DispatchQueue.global().async(execute: $0) } }
}

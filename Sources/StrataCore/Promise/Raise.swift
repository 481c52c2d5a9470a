import Synchronization

/// A higher priority for the work of a promise, because an urgent caller has joined the work.
///
/// A raise travels like a cancellation, from a promise to the work that the promise waits for. Each
/// promise on the way stores the raise, and passes it on to everything that it waits for later.
/// Queues move their waiting work forward.
@usableFromInline
package struct Raise: Sendable {
  /// The position among all raises. Because of this number, a raise doesn't run in circles if a
  /// load waits for itself.
  private let number: UInt64
  package let priority: UInt8

  private static let last = Atomic<UInt64>(0)

  package init(to priority: TaskPriority) {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    self.priority = priority.rawValue
  }

  private init(_ number: UInt64, _ priority: UInt8) {
    (self.number, self.priority) = (number, priority)
  }

  /// Adds this raise to the one that a promise stores. Returns `nil` if the stored raise is at
  /// least as recent and as high. The number and the priority of the stored raise only grow. So
  /// raises that travel in a circle come to an end.
  func added(to stored: Raise?) -> Raise? {
    guard let stored else { return self }
    guard number > stored.number || priority > stored.priority else { return nil }
    return Raise(max(number, stored.number), max(priority, stored.priority))
  }

  /// Calls a handler immediately, or after the current job of this thread. Only a postponed call
  /// allocates.
  func pass(to handle: @escaping @Sendable (Raise?) -> Void) {
    if !Trampoline.runNow({ handle(self) }) { Trampoline.run { handle(self) } }
  }
}

extension TaskPriority {
  /// The priority of the current task, or the default priority if a thread without a task runs. In
  /// that case, Linux reports the priority zero, which is lower than that of every task.
  package static var ofCaller: TaskPriority {
    let priority = Task.currentPriority
    return priority.rawValue == 0 ? .medium : priority
  }
}

extension AnyPending {
  /// Raises the priority of the work of this promise. A loop follows a chain of promises, so a long
  /// chain needs no stack.
  package func raise(_ raise: Raise) {
    var next: (any AnyPending)? = self
    while let pending = next {
      next = nil
      switch pending.note(raise) {
      case .withdraw(let interest)?: next = interest.pending
      case .handle(let handle)?: raise.pass(to: handle)
      case .call?, nil: break
      }
    }
  }
}

extension Interest {
  package func raise(_ raise: Raise) { pending.raise(raise) }
}

extension Promise {
  /// Raises the work of this promise to a priority, because an urgent caller waits for it.
  package func raise(to priority: TaskPriority) { raise(Raise(to: priority)) }

  /// Raises the priority of the work of this promise.
  package func raise(_ raise: Raise) {
    if case .pending(let pending) = state { pending.raise(raise) }
  }
}

import Synchronization

/// The wish that the work of a promise is done sooner, because an urgent caller has joined it.
///
/// It travels like a cancellation, from a promise to the work that the promise waits for. Each promise
/// on the way stores it, and passes it on to whatever it waits for later. Queues raise their waiting
/// work.
@usableFromInline
struct Raise: Sendable {
  /// The position among all raises. With it, a raise doesn't run in circles if a load waits for itself.
  private let number: UInt64
  let priority: UInt8

  private static let last = Atomic<UInt64>(0)

  init(to priority: TaskPriority) {
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    self.priority = priority.rawValue
  }

  private init(_ number: UInt64, _ priority: UInt8) {
    (self.number, self.priority) = (number, priority)
  }

  /// Adds this raise to the one that a promise stores. Returns `nil` if it adds nothing. Both parts
  /// only grow, so even two raises that meet in a circle end.
  func added(to stored: Raise?) -> Raise? {
    guard let stored else { return self }
    guard number > stored.number || priority > stored.priority else { return nil }
    return Raise(max(number, stored.number), max(priority, stored.priority))
  }
}

extension AnyPending {
  /// Passes a raise on to the work of this promise. A chain of promises is a loop, so it needs no
  /// stack.
  func raise(_ raise: Raise) {
    var next: (any AnyPending)? = self
    while let pending = next {
      next = nil
      switch pending.note(raise) {
      case .withdraw(let interest)?: next = interest.pending
      case .handle(let handle)?: Trampoline.run { handle(raise) }
      case .call?, nil: break
      }
    }
  }
}

extension Interest {
  func raise(_ raise: Raise) { pending.raise(raise) }
}

extension Promise {
  /// Passes a raise on to the work of this promise.
  func raise(_ raise: Raise) {
    if case .pending(let pending) = state { pending.raise(raise) }
  }
}

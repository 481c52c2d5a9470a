/// A receiver of an outcome. The case `settle` passes the outcome to another promise, and the case
/// `resume` resumes a task. The case `count` reports the end of an operation. For these three cases,
/// no closure is needed.
///
/// A listener receives an untyped pointer to the outcome, so promises of all types share the code
/// that stores and calls listeners. This pointer is valid only during the call.
@usableFromInline
enum Listener: Sendable {
  case call(@Sendable (UnsafeRawPointer) -> Void)
  case settle(any AnyPending)
  case resume(Waiter)
  case count(OperationEnd)

  func receive(_ outcome: UnsafeRawPointer) {
    switch self {
    case .call(let run): run(outcome)
    case .settle(let other): other.settle(copying: outcome)
    case .resume(let waiter): waiter.resume()
    case .count(let end): end.report()
    }
  }
}

/// A pending promise with any type of value.
@usableFromInline
protocol AnyPending: Sendable {
  /// Settles the promise with a copy of the outcome to which the pointer refers. This outcome must
  /// have the promise's type.
  func settle(copying outcome: UnsafeRawPointer)

  @discardableResult
  func withdraw(_ id: Int) -> Bool

  /// Stores the higher priority. Returns the handler that passes the priority on to the work, or
  /// `nil` if the promise has settled or already has this priority.
  func note(_ raise: Raise) -> CancelHandler?
}

/// An object that counts running operations.
@usableFromInline
package protocol OperationCounter: AnyObject, Sendable {
  /// Records that an operation has ended.
  ///
  /// - Parameter later: If it isn't `nil`, this thread must run no code of the program. Then the
  ///   closure is called with such code.
  func end(_ number: Int, later: RunLater?)
}

/// A function that calls a closure on another thread.
@usableFromInline
package typealias RunLater = (@escaping @Sendable () -> Void) -> Void

/// The end of a counted operation.
@usableFromInline
struct OperationEnd: Sendable {
  let counter: any OperationCounter
  let number: Int

  @usableFromInline
  init(_ counter: any OperationCounter, _ number: Int) {
    (self.counter, self.number) = (counter, number)
  }

  @usableFromInline
  func report(later: RunLater? = nil) { counter.end(number, later: later) }
}

/// An action that stops the work of a promise when the promise is cancelled.
@usableFromInline
package enum CancelHandler: Sendable {
  case call(@Sendable () -> Void)
  case withdraw(Interest)
  /// To stop the work, the closure is called with `nil`. To do the work sooner, it's called with a
  /// raise of the priority.
  case handle(@Sendable (Raise?) -> Void)

  @usableFromInline
  func run() {
    switch self {
    case .call(let run): run()
    case .withdraw(let interest): interest.withdraw()
    case .handle(let handle): handle(nil)
    }
  }

  /// Handles what happened before this handler was set.
  @usableFromInline
  func begin(isCancelled: Bool, _ raise: Raise?) {
    if isCancelled { return run() }
    guard let raise else { return }
    switch self {
    case .call: break
    case .withdraw(let interest): interest.raise(raise)
    case .handle(let handle): raise.pass(to: handle)
    }
  }
}

/// The listeners of a pending promise. A listener that keeps the promise's work going is an
/// *interest*.
@usableFromInline
struct Listeners {
  @usableFromInline typealias Entry = (id: Int, isInterest: Bool, listener: Listener?)
  /// The data that the caller needs to deliver the outcome after it has released the lock. If the
  /// only listener is a task, the caller just resumes the task. The end of a counted operation is
  /// reported before that.
  @usableFromInline typealias End = (
    isDue: Bool, cancelHandler: CancelHandler?, waiter: Waiter?, counted: OperationEnd?
  )

  @usableFromInline private(set) var isDelivering = false
  private var first: Entry?  // The usual single listener, which needs no array.
  private var entries: [Entry] = []  // Sorted by ID. Empty if `first` isn't `nil`.
  private var counted: OperationEnd?
  private var withdrawn = 0
  private var lastID = 0
  private(set) var interests = 0
  private var cancelHandler: (step: WorkStep, CancelHandler)?
  @usableFromInline private(set) var raise: Raise?

  @usableFromInline init() {}

  @usableFromInline
  mutating func add(_ listener: Listener, isInterest: Bool) -> Int {
    lastID += 1
    if isInterest { interests += 1 }
    guard first != nil || !entries.isEmpty else {
      first = (lastID, isInterest, listener)
      return lastID
    }
    if let first = first.take() { entries.append(first) }
    entries.append((lastID, isInterest, listener))
    return lastID
  }

  /// Adds the end of an operation, which has a place of its own unless the outcome is already being
  /// delivered.
  @usableFromInline
  mutating func add(_ end: OperationEnd) {
    if counted == nil, !isDelivering {
      counted = end
    } else {
      _ = add(.count(end), isInterest: false)
    }
  }

  /// Removes a listener.
  ///
  /// - Returns: The listener, and whether it was the last listener that kept the work going.
  @usableFromInline
  mutating func remove(_ id: Int) -> (listener: Listener?, isLast: Bool) {
    if first?.id == id, let only = first.take() {
      if only.isInterest { interests -= 1 }
      return (only.listener, only.isInterest && interests == 0)
    }
    let index = index(of: id)
    guard index < entries.count, entries[index].id == id,
      let listener = entries[index].listener.take()
    else { return (nil, false) }
    let isInterest = entries[index].isInterest
    withdrawn += 1
    if withdrawn > 8, withdrawn > entries.count / 2 {
      entries.removeAll { $0.listener == nil }
      withdrawn = 0
    }
    if isInterest { interests -= 1 }
    return (listener, isInterest && interests == 0)
  }

  private func index(of id: Int) -> Int {
    var (start, end) = (0, entries.count)
    while start < end {  // Sorted by ID.
      let middle = (start + end) / 2
      if entries[middle].id < id { start = middle + 1 } else { end = middle }
    }
    return start
  }

  /// Sets the cancel handler of a step, unless a later step has already set its own. Returns the
  /// replaced handler, which the caller releases outside the lock.
  @usableFromInline
  mutating func replaceCancelHandler(at step: WorkStep, _ handler: CancelHandler) -> CancelHandler?
  {
    let earlier = cancelHandler
    if let earlier, step < earlier.step { return nil }
    cancelHandler = (step, handler)
    return earlier?.1
  }

  /// Stores the higher priority. Returns the handler that passes it on, or `nil` if the promise
  /// already has this priority.
  @usableFromInline
  mutating func note(_ raise: Raise) -> CancelHandler? {
    guard let all = raise.added(to: self.raise) else { return nil }
    self.raise = all
    return cancelHandler?.1
  }

  /// Begins the delivery of the outcome.
  @usableFromInline
  mutating func end(isCancelled: Bool) -> End {
    defer { cancelHandler = nil }
    if isCancelled, cancelHandler != nil, let end = counted.take() {
      // An operation ends after its cancel handler has run.
      let others = first.take().map { [$0] } ?? entries
      entries = [(0, false, .count(end))] + others
    }
    let counted = counted.take()
    if !isCancelled, case .resume(let waiter)? = first?.listener {
      first = nil
      return (false, cancelHandler?.1, waiter, counted)
    }
    isDelivering = first != nil || !entries.isEmpty
    return (isDelivering || isCancelled && cancelHandler != nil, cancelHandler?.1, nil, counted)
  }

  @usableFromInline
  mutating func nextBatch() -> [Entry] {
    if let only = first.take() {
      isDelivering = true
      return [only]
    }
    defer { (entries, withdrawn) = ([], 0) }
    isDelivering = !entries.isEmpty
    return entries
  }
}

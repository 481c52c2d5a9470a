/// A receiver of an outcome. The case `settle` passes the outcome to another promise without a
/// closure.
///
/// The receiver gets an untyped pointer to the outcome, so promises of all types share the code
/// that stores and calls listeners. The receiver must not use the pointer to the outcome after the
/// call returns.
@usableFromInline
enum Listener: Sendable {
  case call(@Sendable (UnsafeRawPointer) -> Void)
  case settle(any PendingSource)

  func receive(_ outcome: UnsafeRawPointer) {
    switch self {
    case .call(let run): run(outcome)
    case .settle(let other): other.settle(copying: outcome)
    }
  }
}

/// An action that stops the work of a promise when the promise is cancelled.
@usableFromInline
enum CancelHandler: Sendable {
  case call(@Sendable () -> Void)
  case withdraw(any PendingSource, id: Int)

  @usableFromInline
  func run() {
    switch self {
    case .call(let run): run()
    case .withdraw(let other, let id): other.withdraw(id)
    }
  }
}

/// The listeners of a pending promise. An *interest* is a listener that keeps the promise's work
/// going.
@usableFromInline
struct Listeners {
  @usableFromInline typealias Entry = (id: Int, isInterest: Bool, listener: Listener?)
  /// The replaced cancel handler, and the promise that the work was waiting for. The caller
  /// releases the handler and the promise outside the lock.
  @usableFromInline typealias Stage = (stop: CancelHandler?, source: (any PendingSource)?)
  /// The data that the caller needs to deliver the outcome after releasing the lock.
  @usableFromInline typealias End = (
    isDue: Bool, stop: CancelHandler?, source: (any PendingSource)?
  )

  @usableFromInline private(set) var isDelivering = false
  private var entries: [Entry] = []  // Sorted by ID.
  private var withdrawn = 0
  private var lastID = 0
  private(set) var interests = 0
  private var stop: (stage: Int, CancelHandler)?
  @usableFromInline var source: (any PendingSource)?
  var work: PendingWork?

  @usableFromInline init() {}

  @usableFromInline
  mutating func add(_ listener: Listener, isInterest: Bool) -> Int {
    lastID += 1
    entries.append((lastID, isInterest, listener))
    if isInterest { interests += 1 }
    return lastID
  }

  /// Removes a listener.
  ///
  /// - Returns: The listener, and whether it was the last listener that kept the work going.
  @usableFromInline
  mutating func remove(_ id: Int) -> (listener: Listener?, isLast: Bool) {
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

  /// Replaces the cancel handler when the promise's work enters a new stage, such as a retry.
  /// Returns the old handler, and the promise that the old stage waited for. Does nothing if a
  /// later stage has already set a handler.
  @usableFromInline
  mutating func replaceStop(
    at stage: Int, _ stop: CancelHandler, source: (any PendingSource)?
  ) -> Stage {
    if stage < self.stop?.stage ?? 0 { return (nil, nil) }
    let earlier = (self.stop?.1, self.source)
    self.stop = (stage, stop)
    if let source { self.source = source }
    return earlier
  }

  /// Begins the delivery of the outcome.
  @usableFromInline
  mutating func end(isCancelled: Bool) -> End {
    defer { (stop, source) = (nil, nil) }
    isDelivering = !entries.isEmpty
    return (isDelivering || isCancelled && stop != nil, stop?.1, source)
  }

  @usableFromInline
  mutating func nextBatch() -> [Entry] {
    defer { (entries, withdrawn) = ([], 0) }
    isDelivering = !entries.isEmpty
    return entries
  }
}

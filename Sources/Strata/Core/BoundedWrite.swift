/// One write of one level. The write fails if it exceeds its time bound.
///
/// A write that passes its bound isn't cancelled, because an interrupted write might still take
/// effect. The level's value for the key is unknown until the write settles.
struct BoundedWrite: Sendable {
  let order: OperationOrder
  let queue: Int
  let id: Int
  let hash: Int?
  /// Begins the removal that the level owes.
  let repair: @Sendable () -> Void
  private let result = Pending<Void>()

  init(
    _ order: OperationOrder, queue: Int = 0, _ id: Int, of hash: Int?,
    repair: @escaping @Sendable () -> Void
  ) {
    (self.order, self.queue, self.id, self.hash) = (order, queue, id, hash)
    self.repair = repair
  }

  /// The answer of the level, or the failure at the bound.
  var answer: Promise<Void> { result.promise }

  /// Starts the time of the write.
  func start(
    _ bound: Duration, on clock: TimeSource, _ error: @escaping @Sendable () -> any Error
  ) {
    let cancelTimer = clock.after(bound) {
      guard let next = order.expire(id, of: hash, queue: queue) else { return }
      result.settle(.failure(error()))
      next.begin()
    }
    answer.observed { _ in cancelTimer() }
  }

  /// Follows the level's write. Cancelling the answer cancels it.
  func follow(_ write: Promise<Void>, isCancellable: Bool = false) {
    if isCancellable { result.stop(at: 1) { write.cancel() } }
    write.observed { outcome in
      let next = finish(outcome)
      result.settle(outcome)
      next.begin()
    }
  }

  /// Ends the write, and begins a removal if the write was too late.
  func finish(_ outcome: Promise<Void>.Outcome) -> WriteQueue.Next {
    let next = order.finish(id, of: hash, queue: queue, succeeded: outcome.value != nil)
    if next.mustRemove { repair() }
    return next
  }
}

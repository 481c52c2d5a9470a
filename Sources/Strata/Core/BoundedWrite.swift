/// A write to one level of a sum. The write fails if it exceeds its time bound.
///
/// A write that exceeds its bound keeps running, because an interrupted write might still take
/// effect. Once the bound has passed, the level's value for the key is unknown until the write
/// settles.
struct BoundedWrite: Sendable {
  let order: OperationOrder
  let queue: Int
  let id: Int
  let hash: Int?
  /// A closure that runs a removal in the level. Called if a write that exceeded its time bound
  /// might have left a wrong value in the level. See `UnknownValues`.
  let repair: @Sendable (WriteQueue.Removal) -> Void
  private let result = Pending<Void>()

  init(
    _ order: OperationOrder, queue: Int = 0, _ id: Int, of hash: Int?,
    repair: @escaping @Sendable (WriteQueue.Removal) -> Void
  ) {
    (self.order, self.queue, self.id, self.hash) = (order, queue, id, hash)
    self.repair = repair
  }

  /// The outcome of the level's write, or the timeout error if the write exceeds its time bound.
  var answer: Promise<Void> { result.promise }

  /// Starts the timer. If the write is still in flight after the time `bound`, the promise `answer`
  /// fails with the result of `error`.
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

  /// Settles `answer` with the outcome of the level's write. If `isCancellable` is true, cancelling
  /// `answer` cancels the write.
  func follow(_ write: Promise<Void>, isCancellable: Bool = false) {
    if isCancellable { result.onCancel { write.cancel() } }
    write.observed { outcome in
      let next = finish(outcome)
      result.settle(outcome)
      next.begin()
    }
  }

  /// Records that the write has settled, and calls `repair` if the level might now have a wrong
  /// value.
  func finish(_ outcome: Promise<Void>.Outcome) -> WriteQueue.Next {
    let next = order.finish(id, of: hash, queue: queue, succeeded: outcome.value != nil)
    if let removal = next.removal { repair(removal) }
    return next
  }
}

extension OperationOrder /* : writes that exceed their bound */ {
  /// Records that a write has exceeded its time bound, so that other operations stop waiting for
  /// the write. Returns `nil` if the write has already settled.
  func expire(_ id: Int, of hash: Int?, queue: Int) -> WriteQueue.Next? {
    update { state in state.withQueue(queue) { $0.expire(id, of: hash) } }
  }

  /// Removes a key, or all keys, from a level that might have outdated values. If `begun` is a
  /// removal, this function runs that removal. If `begun` is `nil`, this function begins and runs a
  /// removal only if the level needs one. An in-flight write or removal of the key prevents a new
  /// removal. See `UnknownValues`.
  ///
  /// The removal is cancelled when it exceeds its time bound. A cancelled removal that still takes
  /// effect does no harm, because it can only cause a miss.
  ///
  /// - Parameter remove: A closure that begins the removal in the level. If the argument `isOfAll`
  ///   is true, the closure removes all keys. If the level hasn't received an earlier `clear` yet,
  ///   the closure is called after the level has received the first such `clear`.
  func repair(
    _ hash: Int?, queue: Int, _ begun: WriteQueue.Removal?, within bound: Duration,
    on clock: TimeSource, _ remove: @escaping @Sendable (_ isOfAll: Bool) -> Promise<Void>
  ) {
    guard let removal = begun ?? beginRemoval(hash, queue: queue) else { return }
    let run = { @Sendable [self] in
      let answer = remove(removal.isOfAll)
      update { state in state.withQueue(queue) { $0.receive(removal, of: hash) } }.begin()
      answer.timeout(after: bound, clock: clock).observed { outcome in
        self.end(removal, of: hash, queue: queue, outcome)
      }
    }
    let isWaiting = update { $0.queues[queue].wait(removal, run) != nil }
    if !isWaiting { run() }
  }

  private func end(
    _ removal: WriteQueue.Removal, of hash: Int?, queue: Int, _ outcome: Promise<Void>.Outcome
  ) {
    update { state in
      state.withQueue(queue) {
        $0.endRemoval(removal, of: hash, succeeded: outcome.value != nil)
      }
    }
  }

  private func beginRemoval(_ hash: Int?, queue: Int) -> WriteQueue.Removal? {
    update { state in
      let id = state.lastWrite + 1
      let removal = state.withQueue(queue) { $0.beginRemoval(id, of: hash) }
      if removal != nil { state.lastWrite = id }
      return removal
    }
  }

  /// Whether a get of a key skips a level. See `UnknownValues`.
  @usableFromInline
  func skips(_ hash: Int, queue: Int = 0) -> Bool {
    !isQuiet && state.withLock { $0.queues[queue].skips(hash) }
  }

  /// Whether a key's value in a level is unknown. See `UnknownValues`.
  @usableFromInline
  func isUnknown(_ hash: Int, queue: Int = 0) -> Bool {
    !isQuiet && state.withLock { $0.queues[queue].unknown.isUnknown(hash) }
  }

  /// Records that a level has received a `clear`. See `UnreceivedWrites`.
  func receive(clear id: Int, queue: Int) {
    update { state in state.withQueue(queue) { $0.receive(clear: id) } }.begin()
  }

  /// Adds a get that must skip a level because of a `clear`. Returns a promise that settles when
  /// the level has received the `clear`, or `nil` if the get doesn't have to wait. See
  /// `UnreceivedWrites`.
  func receiptOfClear(_ hash: Int, queue: Int) -> Promise<Void>? {
    wait(queue: queue) { $0.waitForClear(hash, $1) }
  }

  /// The number of writes to a level that have exceeded their time bound so far.
  func lateWrites(queue: Int) -> Int { state.withLock { $0.queues[queue].unknown.lateWrites } }
}

/// An operation that calls the levels of a sum: a write, a back-fill, or the removal of hidden
/// keys.
struct SumWrite<Key: Hashable & Sendable>: Sendable {
  let role: CallOrder.Role
  let ticket: SumOrder.Ticket
  /// The key, or `nil` for a write to all keys and for a removal.
  let key: Key?
  /// The hash of the key, or `nil` for all keys.
  let hash: Int?
  /// The hidden keys that a removal removes.
  var removed: [CallOrder.HiddenKey] = []
}

extension Sum {
  package typealias Operation = @Sendable (Cache<Key, Value>, _ level: Int) -> Promise<Void>

  /// Passes a write to every level.
  ///
  /// The write calls the lowest level first. So during the write, a get that misses in an upper
  /// level can read the new value from a lower level. When another operation of the key is calling
  /// the levels, the write is parked. Then the thread of that operation calls the levels for this
  /// write later.
  ///
  /// - Parameters:
  ///   - key: The key, or `nil` for a write to all keys.
  ///   - load: If the write stores the value of a load, the version at which the load began, and
  ///     otherwise `nil`. If the key has been written since this version, the value isn't stored.
  @discardableResult
  package func write(
    _ key: Key?, endingLoad load: SumOrder.Ticket? = nil, _ operation: @escaping Operation
  ) -> Promise<Void> {
    begin(key, endingLoad: load, operation)?.end ?? Promise()
  }

  /// Passes a write to every level, unless another write prevents it. Returns the ticket of the
  /// write, and the promise of its end.
  ///
  /// - Parameter previous: The ticket of an earlier write to the key, which the caller has watched
  ///   since then. If another write to the key has begun since, this one doesn't begin.
  package func begin(
    _ key: Key?, endingLoad load: SumOrder.Ticket? = nil,
    following previous: SumOrder.Ticket? = nil, _ operation: @escaping Operation
  ) -> (ticket: SumOrder.Ticket, end: Promise<Void>)? {
    let hash = key.map { self.hash(of: $0) }
    var joint: Joint?
    let begun = order.begin(hash, endingLoad: load, following: previous) { ticket in
      let parked = Joint(of: members.count)
      joint = parked
      let write = SumWrite(role: .write, ticket: ticket, key: key, hash: hash)
      return SumOrder.Parked { self.pass(self.call(operation, isParked: true), of: write, parked) }
    }
    guard let ticket = begun else { return nil }
    if let joint {
      order.work.follow(joint.promise)
      let write = SumWrite(role: .write, ticket: ticket, key: key, hash: hash)
      return (ticket, expiring(write, joint))
    }
    let answers = call(operation, isParked: false)
    if answers.isEmpty, order.leaveQuietly(hash, .write) { return (ticket, Promise()) }
    let write = SumWrite(role: .write, ticket: ticket, key: key, hash: hash)
    let whole = answers.isEmpty ? nil : Joint(of: answers.count)
    finish(pass(answers, of: write, whole), of: write)
    if let whole { order.work.follow(whole.promise) }
    return (ticket, whole?.promise ?? Promise())
  }

  /// Calls the levels, and returns the answers that the order must record. When every level
  /// succeeds immediately, this function allocates no memory.
  private func call(
    _ operation: Operation, isParked: Bool
  ) -> [(level: Int, answer: Promise<Void>)] {
    var answers: [(level: Int, answer: Promise<Void>)] = []
    for level in members.indices.reversed() {
      let answer = operation(members[level].cache, level)
      if case .success = answer.state, !isParked, order.isQuiet { continue }
      answers.append((level, answer))
    }
    return answers
  }

  /// Passes the turn of the key on after the levels have been called.
  private func pass(
    _ answers: [(level: Int, answer: Promise<Void>)], of write: SumWrite<Key>, _ joint: Joint?
  ) -> SumOrder.Rest {
    guard let joint else { return leave(write) }
    // A write to several levels isn't cancelled, because the levels could then have different
    // values.
    if members.count == 1 {
      joint.result.onCancel { [answer = answers[0].answer] in answer.cancel() }
    }
    var (ready, pending) = ([LevelAnswer](), [(level: Int, answer: Promise<Void>)]())
    for (level, answer) in answers {
      if let outcome = answer.outcome {
        ready.append(levelAnswer(outcome, to: write, at: level))
      } else {
        pending.append((level, answer))
      }
    }
    let rest = leave(write, ready, joint)
    for (level, answer) in pending { follow(answer, of: write, at: level, joint) }
    return rest
  }

  /// Waits for a level's answer, but not longer than the level's bound.
  func follow(_ answer: Promise<Void>, of write: SumWrite<Key>, at level: Int, _ joint: Joint) {
    if let outcome = answer.outcome { return answered(outcome, to: write, at: level, joint) }
    let cancelTimer = members[level].writeBound.map { bound in
      clock.after(bound) { self.answered(nil, to: write, at: level, joint) }
    }
    answer.observed { outcome in
      cancelTimer?()
      self.answered(outcome, to: write, at: level, joint)
    }
  }

  /// Records a level's answer, or `nil` if the answer is late. The last answer ends the write.
  func answered(
    _ outcome: Promise<Void>.Outcome?, to write: SumWrite<Key>, at level: Int, _ joint: Joint
  ) {
    let answer = levelAnswer(outcome, to: write, at: level)
    let (isFirst, isLast, rest) = order.update { state in
      let (isFirst, isLast) = state.record(answer, of: write, joint)
      return (isFirst, isLast, isLast ? state.end(write, joint) : SumOrder.Rest())
    }
    if rest.isAwaited { SumOrder.Rest.callBack([rest]) }
    // A removal that has failed, or a clear that is late, isn't repeated before the next get.
    guard write.role == .write, write.hash != nil || outcome != nil else { return }
    if isLast || !isFirst || answer.verdict.isFailure {
      Trampoline.run { self.repair(write.hash) }  // Not inside another repair.
    }
  }

  /// Passes the turn of a key on.
  ///
  /// - Parameters:
  ///   - ready: The answers of levels that answered immediately.
  ///   - joint: The answers that the write waits for, or `nil` if there are none.
  func leave(
    _ write: SumWrite<Key>, _ ready: [LevelAnswer] = [], _ joint: Joint? = nil
  ) -> SumOrder.Rest {
    order.update { state in
      var isEnd = joint == nil
      if let joint {
        for answer in ready { isEnd = state.record(answer, of: write, joint).isLast || isEnd }
      }
      let next = state.calls.leave(
        write.ticket, write.hash, write.role, write.key.map { KeyBox($0) })
      var rest = SumOrder.Rest()
      if isEnd {
        rest = state.end(write, joint)
      } else {
        rest.released = state.release(write.ticket)
      }
      rest.next = state.unpark(next)
      rest.hasFailure = ready.contains(where: \.verdict.isFailure)
      return rest
    }
  }

  /// Calls the callbacks that waited for an operation, and runs the parked writes that follow it.
  /// Then removes the key from the levels in which it's hidden.
  ///
  /// The parked writes come first, because a callback may wait for them.
  func finish(_ rest: SumOrder.Rest, of write: SumWrite<Key>) {
    let hasFailure = rest.hasFailure
    var (rest, hasRun) = (rest, false)
    while true {
      var earlier: [SumOrder.Rest] = []
      while let next = rest.next, earlier.count < 100 {
        earlier.append(rest)
        (rest, hasRun) = (next.run(), true)
      }
      if !earlier.isEmpty || rest.isAwaited { SumOrder.Rest.callBack(earlier + [rest]) }
      guard let next = rest.next else { break }
      (rest, hasRun) = (next.run(), true)
    }
    // A removal that has failed isn't repeated before the next get.
    if order.isQuiet { return }
    if write.role == .repair ? hasRun : write.hash != nil || hasFailure { repair(write.hash) }
  }
}

extension Sum {
  /// Returns the promise of a parked write. When the write hasn't called the levels within the
  /// longest of their bounds, it's dropped, and its key is removed. If the write is calling the
  /// levels by then, the levels that haven't answered are late.
  private func expiring(_ write: SumWrite<Key>, _ joint: Joint) -> Promise<Void> {
    guard let hash = write.hash else { return joint.promise }
    let limit = order.state.withLock { $0.calls.isFull(hash) ? $0.calls.capacity : nil }
    if let limit {
      let error = CacheError.overloaded(stage: members[0].stage, waiting: limit)
      expire(write, hash, joint, error, isRefused: true)
      return joint.promise
    }
    let bounds = members.compactMap(\.parkedBound)
    guard bounds.count == members.count, let bound = bounds.max() else { return joint.promise }
    let cancelTimer = clock.after(bound) { [self] in
      let level = members.firstIndex { $0.parkedBound == bound } ?? 0
      expire(write, hash, joint, timedOut(at: level, bound, write.key))
    }
    // A cancelled write stays parked.
    joint.promise.observed { if !$0.isCancelled { cancelTimer() } }
    return joint.promise
  }

  /// - Parameter isRefused: Whether the write is dropped because too many writes are parked. In
  ///   this case, a call that has just begun isn't late.
  private func expire(
    _ write: SumWrite<Key>, _ hash: Int, _ joint: Joint, _ error: any Error,
    isRefused: Bool = false
  ) {
    let box = KeyBox(write.key)
    let keys = members.indices.map { level -> CallOrder.HiddenKey in
      write.key.flatMap { self.hiddenKeys(hash, of: $0, at: level).first } ?? box
    }
    let (released, isCalling) = order.update { state in
      let isParked = state.calls.expire(write.ticket, hash, keys)
      return (
        isParked ? state.release(parked: write.ticket) : nil,
        state.calls.isCalling(write.ticket, hash)
      )
    }
    if isCalling, !isRefused {
      return members.indices.forEach { answered(nil, to: write, at: $0, joint) }
    }
    guard let released else { return }
    joint.result.settle(.failure(error))
    SumOrder.Rest.callBack([SumOrder.Rest(released: released)])
  }
}

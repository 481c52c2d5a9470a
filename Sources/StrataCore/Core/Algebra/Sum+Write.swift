/// A write that is being passed to the levels of a sum, or the removal of hidden keys.
struct SumWrite<Key: Hashable & Sendable>: Sendable {
  let ticket: SumOrder.Ticket
  /// The key, or `nil` for a write to all keys and for a removal.
  let key: Key?
  /// The hash of the key, or `nil` for all keys.
  let hash: Int?
  /// For a removal of hidden keys, those keys. `nil` for a caller's write.
  var removed: [CallOrder.Owner]?
}

extension Sum {
  typealias Operation = @Sendable (Cache<Key, Value>) -> Promise<Void>

  /// Passes a write to every level.
  ///
  /// The lowest level is called first. During the write, a get that misses in an upper level can
  /// read the new value from a lower level. If another operation of the key is calling the levels,
  /// the write is parked, and that operation's thread calls the levels later.
  ///
  /// - Parameter key: The key, or `nil` for a write to all keys.
  func write(_ key: Key?, _ operation: @escaping Operation) -> Promise<Void> {
    let hash = key.map { self.hash(of: $0) }
    var joint: Joint?
    let ticket = order.begin(hash) { ticket in
      let parked = Joint(of: members.count)
      joint = parked
      let write = SumWrite(ticket: ticket, key: key, hash: hash)
      return SumOrder.Parked { self.call(write, operation, parked).next }
    }
    let write = SumWrite(ticket: ticket, key: key, hash: hash)
    if let joint { return bounded(write, joint) }
    let called = call(write, operation, nil)
    run(called.next, then: hash)
    return called.answer
  }

  /// Calls the levels, and passes the turn of the key on. Returns the write's answer, and the next
  /// parked write. If every level succeeds immediately, no memory is allocated.
  private func call(
    _ write: SumWrite<Key>, _ operation: Operation, _ parked: Joint?
  ) -> (answer: Promise<Void>, next: SumOrder.Parked?) {
    var answers: [(level: Int, answer: Promise<Void>)] = []
    for level in members.indices.reversed() {
      let answer = operation(members[level].cache)
      if case .success = answer.state, parked == nil, order.isQuiet { continue }
      answers.append((level, answer))
    }
    guard parked != nil || !answers.isEmpty else {
      return (Promise(), leave(write, .write, isEnd: true))
    }
    let next = leave(write, .write)
    let joint = parked ?? Joint(of: answers.count)
    // A write of several levels isn't cancelled, because the levels could store different values.
    if members.count == 1 {
      joint.result.onCancel { [answer = answers[0].answer] in answer.cancel() }
    }
    for (level, answer) in answers { follow(answer, of: write, at: level, joint) }
    return (joint.promise, next)
  }

  /// Waits for a level's answer, but at most for the level's bound.
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
  private func answered(
    _ outcome: Promise<Void>.Outcome?, to write: SumWrite<Key>, at level: Int, _ joint: Joint
  ) {
    let answer = members[level].answer(outcome)
    let owners = answer.isSuccess && order.isQuiet ? [] : owners(answer, to: write, at: level)
    let isLate = outcome == nil
    let outcome =
      outcome ?? .failure(timedOut(at: level, members[level].writeBound ?? .zero, write.key))
    let (isFirst, isLast, released) = order.update { state in
      let (isFirst, isLast) = joint.record(outcome, of: level)
      // After a failure in time, a level alone behaves as it does without its verb.
      let isOwnFailure = members[level].isAlone && answer.isFailure && write.removed == nil
      if isFirst ? !isOwnFailure : !isLate {
        state.calls.answered(answer, write.ticket, write.hash, in: level, owners)
      }
      return (isFirst, isLast, isLast ? state.end(write) : [:])
    }
    SumOrder.resume(released)
    if isLast { joint.settle() }
    // A removal that fails, or a clear that is late, isn't repeated before the next get.
    guard write.removed == nil, write.hash != nil || !isLate else { return }
    if isLast || !isFirst || answer.isFailure { repair(write.hash) }
  }

  /// Returns the promise of a parked write. If the write hasn't been called within the longest bound
  /// of the levels, it is dropped, and its key is removed. If a call still blocks, the levels that
  /// haven't answered are late.
  private func bounded(_ write: SumWrite<Key>, _ joint: Joint) -> Promise<Void> {
    let bounds = members.compactMap(\.writeBound)
    guard let hash = write.hash, bounds.count == members.count, let bound = bounds.max() else {
      return joint.promise
    }
    let cancelTimer = clock.after(bound) { [self] in
      let released = order.update { state -> SumOrder.Released? in
        let isParked = state.calls.expire(write.ticket, hash, KeyBox(write.key))
        return isParked ? state.release(parked: write.ticket) : nil
      }
      guard let released else {
        return members.indices.forEach { answered(nil, to: write, at: $0, joint) }
      }
      let level = members.firstIndex { $0.writeBound == bound } ?? 0
      joint.result.settle(.failure(timedOut(at: level, bound, write.key)))
      SumOrder.resume(released)
      repair(hash)
    }
    joint.promise.observed { _ in cancelTimer() }
    return joint.promise
  }

  /// Passes the turn of a key on. Returns the parked write that may call the levels now.
  ///
  /// - Parameter isEnd: Whether every level has settled.
  func leave(
    _ write: SumWrite<Key>, _ role: CallOrder.Role, isEnd: Bool = false
  ) -> SumOrder.Parked? {
    let (next, released) = order.update { state in
      let next = state.calls.leave(
        write.ticket, write.hash, role, write.key.map { KeyBox($0) })
      if isEnd { state.calls.end(write.ticket, write.hash) }
      return (state.unpark(next), state.release(write.ticket))
    }
    SumOrder.resume(released)
    return next
  }

  /// Runs a parked write, and then each write that it passes the turn on to. Afterwards, removes the
  /// key from the levels that owe a removal.
  func run(_ parked: SumOrder.Parked?, then hash: Int?) {
    var next = parked
    while let write = next { next = write.run() }
    if let hash { repair(hash) }
  }
}

extension SumOrder.State {
  fileprivate mutating func end<Key>(_ write: SumWrite<Key>) -> SumOrder.Released {
    guard write.removed == nil else { return [:] }
    calls.end(write.ticket, write.hash)
    return release(write.ticket)
  }
}

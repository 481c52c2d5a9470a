/// A write that is being passed to the levels of a sum.
struct SumWrite<Key: Hashable & Sendable>: Sendable {
  let ticket: SumOrder.Ticket
  /// The key and its hash, or `nil` for a write to all keys.
  let key: Key?
  let hash: Int?
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
    if let joint { return wait(for: write, joint) }
    let called = call(write, operation, nil)
    run(called.next, then: hash)
    return called.answer
  }

  /// Calls the levels, and passes the turn of the key on. Returns the write's answer, and the next
  /// parked write. If every level succeeds immediately, no memory is allocated.
  private func call(
    _ write: SumWrite<Key>, _ operation: Operation, _ parked: Joint?
  ) -> (answer: Promise<Void>, next: SumOrder.Parked?) {
    var others: [(level: Int, answer: Promise<Void>)] = []
    for level in members.indices.reversed() {
      let answer = operation(members[level].cache)
      if case .success = answer.state {
        if parked == nil, !order.isQuiet { report(.success(()), of: write, at: level) }
      } else {
        others.append((level, answer))
      }
    }
    for (level, answer) in others where parked == nil {
      if let outcome = answer.outcome { report(outcome, of: write, at: level) }
    }
    let pending = others.filter { $0.answer.outcome == nil }
    guard parked != nil || !pending.isEmpty else {
      let next = leave(write.ticket, write.key, write.hash, isWrite: true, isEnd: true)
      let failed = others.last { $0.answer.outcome?.isCancelled == false } ?? others.last
      return (failed?.answer ?? Promise(), next)
    }
    let joint = parked ?? Joint(of: members.count)
    let next = leave(write.ticket, write.key, write.hash, isWrite: true)
    let waiting = Set(pending.map(\.level))
    for level in members.indices where !waiting.contains(level) {
      let answer = others.first { $0.level == level }?.answer
      record(
        answer?.outcome ?? .success(()), of: write, at: level, joint, reports: parked != nil)
    }
    for (level, answer) in pending { follow(answer, of: write, at: level, joint) }
    // A write of several levels isn't cancelled, because the levels could store different values.
    if members[0].isAlone, let answer = pending.first?.answer {
      joint.result.onCancel { answer.cancel() }
    }
    return (joint.promise, next)
  }

  /// Waits for a level's answer, but at most for the level's bound.
  private func follow(
    _ answer: Promise<Void>, of write: SumWrite<Key>, at level: Int, _ joint: Joint
  ) {
    let cancelTimer = members[level].writeBound.map { bound in
      clock.after(bound) { self.expire(write, at: level, after: bound, joint) }
    }
    answer.observed { outcome in
      cancelTimer?()
      self.record(outcome, of: write, at: level, joint, reports: true)
    }
  }

  /// Records an answer of a level. The last answer ends the write.
  ///
  /// - Parameter reports: Whether the order doesn't know the answer yet.
  private func record(
    _ outcome: Promise<Void>.Outcome, of write: SumWrite<Key>, at level: Int, _ joint: Joint,
    reports: Bool
  ) {
    let owners = reports ? compared(outcome, write, at: level) : .none
    let (isLate, isLast, released) = order.update { state -> (Bool, Bool, SumOrder.Released) in
      let (isFirst, isLast) = joint.record(outcome, of: level)
      if let owners { self.apply(outcome, of: write, at: level, owners, &state.calls) }
      return (!isFirst, isLast, isLast ? state.end(write.ticket, write.hash) : [:])
    }
    // The write may have become late after `compared`, so the answer is compared again.
    if reports, isLate { report(outcome, of: write, at: level) }
    end(write, joint, isLast: isLast, released)
    if reports, isLate || outcome.value == nil { repair(write, at: level) }
  }

  /// Ends the wait for a level that hasn't answered within its bound.
  private func expire(
    _ write: SumWrite<Key>, at level: Int, after bound: Duration, _ joint: Joint
  ) {
    let owner = newOwner(write, at: level)
    let error = timedOut(at: level, bound, write.key)
    let (isLast, released) = order.update { state -> (Bool, SumOrder.Released) in
      let (isFirst, isLast) = joint.record(.failure(error), of: level)
      if isFirst { state.calls.failed(write.ticket, write.hash, in: level, isLate: true, owner) }
      return (isLast, isLast ? state.end(write.ticket, write.hash) : [:])
    }
    end(write, joint, isLast: isLast, released)
  }

  private func end(
    _ write: SumWrite<Key>, _ joint: Joint, isLast: Bool, _ released: SumOrder.Released
  ) {
    SumOrder.resume(released)
    guard isLast else { return }
    joint.settle()
    if let hash = write.hash { repair(hash) }
  }

  /// Returns the promise of a parked write. If the write hasn't been called within the longest bound
  /// of the levels, it is dropped, and its key is removed. If a call still blocks, the levels that
  /// haven't answered are late.
  private func wait(for write: SumWrite<Key>, _ joint: Joint) -> Promise<Void> {
    let bounds = members.compactMap(\.writeBound)
    guard let hash = write.hash, bounds.count == members.count, let bound = bounds.max() else {
      return joint.promise
    }
    let cancelTimer = clock.after(bound) { [self] in
      let level = members.firstIndex { $0.writeBound == bound } ?? 0
      let released = order.update { state -> SumOrder.Released? in
        let isParked = state.calls.expire(
          write.ticket, hash, in: members.indices, KeyBox(write.key))
        guard isParked else { return nil }
        _ = state.unpark(write.ticket)
        return state.release(write.ticket)
      }
      guard let released else {
        return members.indices.forEach { expire(write, at: $0, after: bound, joint) }
      }
      joint.result.settle(.failure(timedOut(at: level, bound, write.key)))
      SumOrder.resume(released)
      repair(hash)
    }
    joint.promise.observed { _ in cancelTimer() }
    return joint.promise
  }

  /// Passes the turn of a key on. Returns the parked write that may call the levels now.
  ///
  /// - Parameters:
  ///   - key: The key, or `nil` for a clear or a removal that repairs a level.
  ///   - isEnd: Whether every level has settled.
  func leave(
    _ ticket: Ticket, _ key: Key?, _ hash: Int?, isWrite: Bool, isEnd: Bool = false
  ) -> SumOrder.Parked? {
    let (next, released) = order.update { state in
      let next = state.calls.leave(
        ticket, hash, isWrite: isWrite, in: key == nil ? 0..<0 : members.indices, KeyBox(key))
      if isEnd { state.calls.end(ticket, hash) }
      return (state.unpark(next), state.release(ticket))
    }
    SumOrder.resume(released)
    return next
  }

  /// Runs a parked write, and then each write that it passes the turn on to. Afterwards, removes the
  /// key from the levels that owe a removal.
  func run(_ parked: SumOrder.Parked?, then hash: Int?) {
    var next = parked
    while let write = next { next = write.run() }
    if let hash, !order.isQuiet { repair(hash) }
  }
}

extension SumOrder.State {
  mutating func end(_ ticket: SumOrder.Ticket, _ hash: Int?) -> SumOrder.Released {
    calls.end(ticket, hash)
    return release(ticket)
  }
}

extension Sum {
  /// Passes a write to every level. Each level has a queue that orders its writes.
  ///
  /// The lowest level receives the write first. During the write, a get that misses in an upper
  /// level can read the new value from a lower level. A write fails if a level doesn't settle the
  /// write within that level's time bound.
  ///
  /// - Parameters:
  ///   - hash: The hash of the key, or `nil` for a write to all keys.
  ///   - key: The key, or `nil`.
  func write(
    _ hash: Int?, _ key: Key?,
    _ operation: @escaping @Sendable (Cache<Key, Value>) -> Promise<Void>
  ) -> Promise<Void> {
    let joint = JointWrite(of: members.count)
    let end: @Sendable (Int, Promise<Void>.Outcome) -> Void = { level, outcome in
      guard joint.record(outcome, of: level) else { return }
      self.order.endWrite(hash)
      joint.settle()
    }
    var waiting: [BoundedWrite] = []
    let (first, begun) = order.beginWrite(hash) { level, id in
      let write = self.bounded(id, of: hash, key, at: level)
      waiting.append(write)
      return { write.follow(self.call(operation, id, of: hash, at: level)) }
    }
    for write in waiting { start(write, key, end) }
    for level in begun.reversed() {
      let id = first + level
      let answer = call(operation, id, of: hash, at: level)
      guard let outcome = answer.outcome else {
        let write = bounded(id, of: hash, key, at: level)
        start(write, key, end)
        write.follow(answer)
        continue
      }
      let next = order.finish(id, of: hash, queue: level, succeeded: outcome.value != nil)
      if let removal = next.removal { repair(key, hash, at: level, removal) }
      end(level, outcome)
      next.begin()
    }
    return joint.promise
  }

  /// Passes a write to a level. When the level's function returns, the level has received the
  /// write.
  private func call(
    _ operation: (Cache<Key, Value>) -> Promise<Void>, _ id: Int, of hash: Int?, at level: Int
  ) -> Promise<Void> {
    let answer = operation(members[level].cache)
    if hash == nil, answer.outcome == nil { order.receive(clear: id, queue: level) }
    return answer
  }

  private func bounded(_ id: Int, of hash: Int?, _ key: Key?, at level: Int) -> BoundedWrite {
    BoundedWrite(order, queue: level, id, of: hash) { self.repair(key, hash, at: level, $0) }
  }

  /// Starts the timer for the time bound of a write.
  private func start(
    _ write: BoundedWrite, _ key: Key?,
    _ end: @escaping @Sendable (Int, Promise<Void>.Outcome) -> Void
  ) {
    let level = write.queue
    write.start(members[level].bound, on: clock) { self.timedOut(at: level, key) }
    write.answer.observed { end(level, $0) }
  }

  /// Removes a key, or all keys, from a level. If `begun` is a removal, this function runs that
  /// removal. If `begun` is `nil`, this function runs a removal only if the level needs one. See
  /// `UnknownValues`.
  @usableFromInline
  func repair(_ key: Key?, _ hash: Int?, at level: Int, _ begun: WriteQueue.Removal? = nil) {
    let cache = members[level].cache
    order.repair(hash, queue: level, begun, within: members[level].bound, on: clock) { isOfAll in
      guard !isOfAll, let key else { return cache.clear() }
      return cache.remove(key)
    }
  }

  /// Ends a back-fill when the back-fill settles or exceeds its time bound.
  @usableFromInline
  func finish(_ write: Promise<Void>, _ id: Int, at level: Int, _ descent: Descent) {
    let bounded = bounded(id, of: descent.get.hash, descent.key, at: level)
    if write.outcome == nil {
      bounded.start(members[level].bound, on: clock) { self.timedOut(at: level, descent.key) }
    }
    bounded.follow(write)
  }

  /// Returns the error for an operation that hasn't settled within the level's time bound.
  func timedOut(at level: Int, _ key: Key?) -> any Error {
    CacheError.timedOut(
      stage: members[level].cache.plan.stage, after: members[level].bound,
      key: key.map { shortened($0) })
  }
}

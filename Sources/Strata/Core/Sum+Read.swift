extension Sum {
  /// Reads a level. If a `clear` has made the level's value outdated, this function waits until the
  /// level has received the `clear`, and the result is a miss. If a write that exceeded its time
  /// bound has made the level's value unknown, the result is the error `unsettled`.
  @usableFromInline
  func read(_ key: Key, _ hash: Int, at level: Int) -> Promise<Value> {
    guard order.skips(hash, queue: level) else { return members[level].reader.get(key) }
    guard let receipt = order.receiptOfClear(hash, queue: level) else {
      return skip(key, hash, at: level)
    }
    return receipt.timeout(after: members[level].bound, clock: clock) {
      self.timedOut(at: level, key)
    }.flatMap { self.skip(key, hash, at: level) }
  }

  private func skip(_ key: Key, _ hash: Int, at level: Int) -> Promise<Value> {
    repair(key, hash, at: level)
    guard order.isUnknown(hash, queue: level) else {
      return members[level].reader.get(key).flatMap { _ in .miss }
    }
    return unsettled(key, at: level)
  }

  func unsettled(_ key: Key, at level: Int) -> Promise<Value> {
    Promise(
      error: CacheError.unsettled(stage: members[level].cache.plan.stage, key: shortened(key)))
  }

  /// Waits for the earlier writes to the key in a level, and then reads the level.
  @usableFromInline
  func readBehindWrites(_ key: Key, _ hash: Int, at level: Int) -> Promise<Value> {
    guard !order.isUnknown(hash, queue: level), let writes = order.wait(hash, queue: level) else {
      return read(key, hash, at: level)
    }
    return writes.flatMap { self.read(key, hash, at: level) }
  }
}

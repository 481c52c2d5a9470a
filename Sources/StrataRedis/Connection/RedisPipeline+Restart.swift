import StrataCore

extension RedisPipeline /* : restarts of the server */ {
  /// Returns whether the epoch has been used since the server started. If that isn't known yet,
  /// requests the ID of the run in which the epoch was last used, and holds later requests until
  /// the reply arrives.
  mutating func isOfThisRun(_ epoch: RedisEpoch) -> Bool {
    guard let run, epoch.run != run else { return true }
    output.request([Array("GET".utf8), epoch.runKey])
    awaited.append(.run(epoch))
    isFenced = true
    return false
  }

  /// Removes the epoch if it was last used before the server's start, because the server may have
  /// lost the last writes. The first process that notices the restart does this.
  mutating func receiveRun(_ reply: RedisReply, of epoch: RedisEpoch) {
    isFenced = false
    guard let run else { return }
    guard case .success(let reply) = reply.answer, reply.data.map({ Array($0) }) != run else {
      return epoch.run = run
    }
    if reply == .null, epoch.run == nil { return store(run, of: epoch) }
    epoch.forget()
    remove(epoch, with: "UNLINK")
  }

  private mutating func remove(_ epoch: RedisEpoch, with command: String) {
    output.request([Array(command.utf8), epoch.key])
    awaited.append(.removal(epoch, command: command))
    isFenced = true
  }

  /// If the server has refused to remove the epoch, tries the other command that removes it. When the
  /// server refuses that, too, fails the request that needs the epoch. This is the first waiting
  /// request, unless it has timed out. The next one asks again. So does the next connection, if this
  /// one is lost before the reply.
  mutating func receiveRemoval(_ reply: RedisReply, of epoch: RedisEpoch, _ command: String) {
    isFenced = false
    guard case .failure(let failure) = reply.answer else {
      if let run { store(run, of: epoch) }
      return
    }
    if command != "DEL" { return remove(epoch, with: "DEL") }
    switch waiting.first?.form {
    case .get(let needed)?, .gets(_, let needed)?, .set(let needed, _)?:
      guard needed === epoch, let request = waiting.removeFirst() else { return }
      answer(request, .failure(failure))
    default: break
    }
  }

  private mutating func store(_ run: [UInt8], of epoch: RedisEpoch) {
    epoch.run = run
    add([Array("SET".utf8), epoch.runKey, run])
  }
}

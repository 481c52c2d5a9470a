import Foundation
import StrataCore

/// Confirms the values that this process has loaded and stored in Redis.
///
/// The server also reports the process's own back-fill, and this report removes the key from the
/// cache. Then the cache takes a ticket, and reads the record's ending and the epoch. When both
/// match the back-fill, the cache stores the value. The server reports any later write, which ends
/// the ticket.
extension RedisHearing {
  /// A value from a level below Redis.
  struct Candidate: Sendable {
    let value: Value
    let ticket: ObjectIdentifier
    /// The thread that has called this cache's back-fill. The same thread calls the back-fill of
    /// the Redis level.
    let thread: UInt
    let time: Int64
    /// The Redis level's back-fill, if it was called.
    var record: RedisFill?
    /// Whether the Redis level's back-fill has succeeded.
    var isStored = false
    /// Whether the server has reported a write to the key since the Redis level's back-fill was
    /// called. On a busy machine, this can be the report of the back-fill itself, handled before
    /// its answer.
    var isReported = false
  }

  private static var mostCandidates: Int { 1_000 }
  private static var longestWait: Int64 { 10_000_000_000 }

  /// Keeps a value until it's confirmed. Returns an error if too many values are waiting, or if no
  /// Redis level can confirm it.
  func hold(_ key: String, _ value: Value, _ ticket: Ticket) -> RedisError? {
    guard client.witnesses.hasLevel(prefix) else {
      return .noLevel(prefix: String(decoding: prefix, as: UTF8.self))
    }
    let now = runningNanoseconds()
    let candidate = Candidate(
      value: value, ticket: ObjectIdentifier(ticket), thread: RedisFill.thisThread, time: now)
    let (isWaiting, _) = state.withLock { state -> (Bool, [Candidate]) in
      var dropped: [Candidate] = []
      if state.candidates.count >= Self.mostCandidates {
        let late = state.candidates.filter { $0.value.time + Self.longestWait < now }
        for key in late.keys { state.candidates[key] = nil }
        dropped = Array(late.values)
      }
      guard state.candidates.count < Self.mostCandidates else { return (false, dropped) }
      if let earlier = state.candidates.updateValue(candidate, forKey: key) {
        dropped.append(earlier)
      }
      return (true, dropped)
    }
    return isWaiting ? nil : .tooManyUnconfirmed(limit: Self.mostCandidates)
  }

  /// Receives what a Redis level with the same client has found or stored.
  func receive(_ witness: RedisWitness) {
    switch witness {
    case .found(let name):
      guard let key = key(of: name) else { return }
      let hash = KeyVersions.hash(key)
      state.withLock { state in
        guard state.watched[hash] != nil else { return }
        state.found += 1
        state.watched[hash]?.found = state.found
      }
    case .fills(let fill):
      guard let key = key(of: fill.name) else { return }
      state.withLock { state in
        guard let candidate = state.candidates[key], candidate.record == nil,
          candidate.thread == RedisFill.thisThread
        else { return }
        state.candidates[key]?.record = fill
      }
    case .filled(let fill, let hasSucceeded):
      guard let key = key(of: fill.name) else { return }
      guard hasSucceeded else { return drop(key, fill) }
      let isReported = state.withLock { state in
        guard state.candidates[key]?.record === fill else { return false }
        state.candidates[key]?.isStored = true
        return state.candidates[key]?.isReported == true
      }
      if isReported { confirm(key) }
    }
  }

  /// Forgets a back-fill that waits for its confirmation. Called when the back-fill has been stored in
  /// memory, or when it's known that Redis doesn't have its value.
  private func drop(_ key: String, _ record: RedisFill) {
    _ = state.withLock { state in
      state.candidates[key]?.record === record ? state.candidates.removeValue(forKey: key) : nil
    }
  }

  /// Stores the value of a reported back-fill, if Redis still has its record. If the server reports
  /// the key again in the meantime, does nothing, because the call for that report stores the
  /// value.
  func confirm(_ key: String) {
    let waiting = state.withLock { state in
      if state.candidates[key]?.record != nil { state.candidates[key]?.isReported = true }
      return state.candidates[key]
    }
    guard let waiting, waiting.isStored, let record = waiting.record else { return }
    let ticket = Ticket(KeyVersions.hash(key), self)
    let range = ["-\(RedisRecord.trailerSize)", "-1"].map { Array($0.utf8) }
    let ending = client.command(
      [Array("GETRANGE".utf8), record.name] + range, key: record.name, isRepeatable: true)
    let epoch = client.command(
      [Array("GET".utf8), record.epochKey], key: record.epochKey, isRepeatable: true)
    let confirmation = ending.flatMap { ending in
      epoch.flatMap { epoch in
        guard ticket.isGood else { return Promise() }
        defer { self.drop(key, record) }
        guard epoch.data.map({ Array($0) }) == record.epoch, self.gate.isOpen,
          ending.data.map({ Array($0) }) == record.epoch + record.trailer
        else { return Promise() }
        return self.operations.set(key, waiting.value).flatMap {
          self.gate.isOpen && ticket.isGood ? Promise() : self.operations.remove(key)
        }
      }
    }
    confirmation.onCompletion { _ in }
  }
}

extension RedisError {
  static let notReporting = unconfirmed(
    "the server doesn't report writes now, because it can't be reached, or has no RESP3")

  static func noLevel(prefix: String) -> RedisError {
    unconfirmed(
      "no Redis level has the prefix \"\(printable(prefix.utf8.prefix(100)))\". Put "
        + ".redis(server, prefix:) with the same RedisServer value and the same prefix below it")
  }

  static func tooManyUnconfirmed(limit: Int) -> RedisError {
    unconfirmed("\(limit) values are already waiting until Redis has stored them")
  }
}

/// A back-fill of Redis.
final class RedisFill: Sendable {
  let (name, epochKey): ([UInt8], [UInt8])
  /// The bytes of the epoch, and the part of the record's trailer that follows them.
  let (epoch, trailer): ([UInt8], [UInt8])

  init(_ name: [UInt8], epochKey: [UInt8], epoch: [UInt8], trailer: [UInt8]) {
    (self.name, self.epochKey, self.epoch, self.trailer) = (name, epochKey, epoch, trailer)
  }

  /// The identity of the current thread.
  static var thisThread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }
}

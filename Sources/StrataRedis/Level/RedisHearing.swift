import Foundation
import StrataCore

/// The state of a cache with `following`: its connections, the keys that gets are loading, and the
/// values that wait for a confirmation.
///
/// A value may enter the cache only if the server will report the key's next write. A server
/// reports a write only if it has a record of the key. So a value that a Redis level has returned
/// may enter immediately. But a value from a lower level must wait until the Redis level has stored
/// it, and until the record has been read back. See `RedisHearing+Confirm.swift`.
final class RedisHearing<Value: Sendable>: Sendable {
  struct State {
    var versions = KeyVersions()
    /// For the hash of each watched key, the number of its tickets. `found` is the number of the
    /// last value that a Redis level has returned for it.
    var watched: [Int: (tickets: Int, found: UInt64)] = [:]
    /// The number of values that Redis levels have returned.
    var found: UInt64 = 0
    var candidates: [String: Candidate] = [:]
    /// For each connection, whether the server reports writes through it.
    var connections: [ObjectIdentifier: Bool] = [:]
  }

  let gate: RedisGate
  let client: any RedisClient
  let prefix: [UInt8]
  let state = Lock(State())
  let operations: CacheOperations<String, Value>
  private let disconnection: RedisDisconnection

  init(
    _ gate: RedisGate, _ client: any RedisClient, _ prefix: [UInt8],
    _ operations: CacheOperations<String, Value>, _ disconnection: RedisDisconnection
  ) {
    (self.gate, self.client, self.prefix) = (gate, client, prefix)
    (self.operations, self.disconnection) = (operations, disconnection)
  }

  deinit { client.forgetFollowers() }

  func receive(_ event: RedisFollower.Event, from connection: ObjectIdentifier) {
    switch event {
    case .began, .left:
      removeAll()
      state.withLock { state in
        state.connections[connection] = event == .began ? true : nil
        let isComplete = !state.connections.isEmpty && state.connections.values.allSatisfy { $0 }
        if isComplete { gate.openUntil.store(.max, ordering: .releasing) }
      }
    case .wrote(let names):
      for name in names {
        guard let key = key(of: name) else {
          removeAll()  // A `clear` has written the epoch's key.
          break
        }
        _ = remove(key, operations)
        confirm(key)
      }
    case .wroteAll: removeAll()
    case .ended:
      let end = disconnection.end(after: runningNanoseconds())
      state.withLock { state in
        state.connections[connection] = false
        let earlier = gate.openUntil.load(ordering: .relaxed)
        gate.openUntil.store(min(earlier, end), ordering: .releasing)
      }
      if end == 0 { removeAll() }
    }
  }

  /// Returns the key whose record has the given name on the server, or `nil` for the name of the
  /// epoch.
  func key(of name: [UInt8]) -> String? { RedisName.key(of: name, prefix: prefix) }

  /// Removes a key's value, and prevents in-flight gets of the key from storing older values.
  func remove(_ key: String, _ below: CacheOperations<String, Value>) -> Promise<Void> {
    change(KeyVersions.hash(key))
    return below.remove(key)
  }

  /// Prevents in-flight gets of a key, or of all keys, from storing older values.
  func change(_ hash: Int?) {
    // The dropped candidates are released after unlocking.
    _ = state.withLock { state -> [String: Candidate] in
      state.versions.change(hash)
      guard hash == nil else { return [:] }
      defer { state.candidates = [:] }
      return state.candidates
    }
  }

  private func removeAll() {
    change(nil)
    _ = operations.clear()
  }
}

extension RedisHearing /* : tickets */ {
  /// A get's right to back-fill its value. As long as the ticket exists, it watches its key for
  /// writes.
  final class Ticket: Sendable {
    let hash: Int
    private let version: KeyVersions.Version
    private let found: UInt64
    private let hearing: RedisHearing

    init(_ hash: Int, _ hearing: RedisHearing) {
      (self.hash, self.hearing) = (hash, hearing)
      (version, found) = hearing.state.withLock { state in
        state.watched[hash, default: (0, 0)].tickets += 1
        return (state.versions.watch(hash), state.found)
      }
    }

    deinit {
      hearing.end(self)
    }

    /// Whether no process has written the key since the ticket was taken.
    var isGood: Bool { hearing.state.withLock { !$0.versions.isWritten(hash, since: version) } }

    /// Whether a Redis level has returned a value of the key since the ticket was taken.
    var isConfirmed: Bool {
      hearing.state.withLock { ($0.watched[hash]?.found ?? 0) > found }
    }
  }

  func ticket(_ key: String) -> (any Sendable)? { Ticket(KeyVersions.hash(key), self) }

  private func end(_ ticket: Ticket) {
    let id = ObjectIdentifier(ticket)
    _ = state.withLock { state -> [String: Candidate] in
      state.versions.unwatch(ticket.hash)
      state.watched[ticket.hash]?.tickets -= 1
      if state.watched[ticket.hash]?.tickets == 0 { state.watched[ticket.hash] = nil }
      let dropped = state.candidates.filter { $0.value.ticket == id && $0.value.record == nil }
      for key in dropped.keys { state.candidates[key] = nil }
      return dropped
    }
  }

  /// Stores a value, unless the server has reported a write to the key since the ticket was taken.
  /// But a value that no Redis level has returned must wait until one has stored it. Without such a
  /// level, the back-fill fails.
  func fill(
    _ key: String, _ value: Value, _ ticket: Ticket, _ below: CacheOperations<String, Value>
  ) -> Promise<Void> {
    guard gate.isOpen else { return Promise(error: RedisError.notReporting) }
    guard ticket.isConfirmed else {
      return hold(key, value, ticket).map { Promise(error: $0) } ?? Promise()
    }
    guard ticket.isGood else { return Promise(error: RedisError.overtaken) }
    // Checks the ticket again, because a report may arrive while the value is being stored.
    return below.set(key, value).flatMap {
      if self.gate.isOpen, ticket.isGood { return Promise() }
      return below.remove(key).flatMap { Promise(error: RedisError.overtaken) }
    }
  }
}

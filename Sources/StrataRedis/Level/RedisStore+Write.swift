import Foundation
import StrataCore

extension RedisStore /* : writes */ {
  func set<Value>(
    _ key: String, _ value: Value, _ format: RedisValueFormat<Value>
  ) -> Promise<Void> {
    let (record, name) = (format.record(value), name(of: key))
    if let error = error(for: record) {
      fail(name, at: client.journal.nextPlace())
      return Promise(error: error)
    }
    let lifetime = record.deadline == .max ? nil : record.deadline - format.now()
    if let lifetime, lifetime <= 0 { return remove(key) }
    let set = RedisSet(
      value: record.value, trailer: RedisRecord.Trailer(record, name), lifetime: lifetime)
    return write(.set(epoch, set), of: key, to: name, size: name.count + record.value.count)
  }

  /// Returns an error if the value of a record is too large, or `nil` if it isn't.
  func error(for record: RedisRecord) -> RedisError? {
    let bytes = record.value.count
    return bytes <= valueLimit ? nil : .valueTooLarge(bytes: bytes, limit: valueLimit)
  }

  func remove(_ key: String) -> Promise<Void> {
    let name = name(of: key)
    return write(
      .command { $0.request([Array("UNLINK".utf8), name]) }, of: key, to: name, size: name.count)
  }

  func clear() -> Promise<Void> { write(.clear(epoch), of: nil, to: epoch.key, size: 0) }

  /// Sends a write request for a key, or for all keys if the key is `nil`.
  private func write(
    _ form: RedisRequest.Form, of key: String?, to name: [UInt8], size: Int
  ) -> Promise<Void> {
    let deadline = deadline
    guard let queue else { return counted { send(form, name, deadline, size, operation: $0) } }
    return work.run {
      queue.write(key.map { KeyVersions.hash($0) }) { self.send(form, name, deadline, size) }
    }
  }

  private func send(
    _ form: RedisRequest.Form, _ name: [UInt8], _ deadline: Int64, _ size: Int,
    operation: Int? = nil
  ) -> Promise<Void> {
    Promise { continuation in
      client.send(RedisWrite(self, form, name, deadline, size: size, operation, continuation))
    }
  }

  /// Records that a write of a key, or a `clear` if `name` is the epoch's key, has failed.
  func fail(_ name: [UInt8], at place: UInt64) {
    let key = name == epoch.key ? nil : name
    client.journal.add(key, epoch, at: place)
    client.repair()
    guard let queue else { return }
    let hash = key.map { KeyVersions.hash(self.key(of: $0)) }
    let entry = RedisJournal.Entry(name: key, epoch: epoch, place: place)
    Self.repair(entry, hash, queue, on: client, after: 0)
  }

  /// Records that a write of a key, or a `clear` if `name` is the epoch's key, has succeeded.
  func succeed(_ name: [UInt8], at place: UInt64) {
    guard !client.journal.isEmpty else { return }
    client.journal.succeeded(name == epoch.key ? nil : name, epoch, at: place)
    guard queue == nil else { return }
    client.journal.sendAgain()  // The server might accept now what it refused earlier.
  }

  /// Removes the key of a failed write, or the epoch of a failed `clear`, from a cluster. Does
  /// nothing if a later write has succeeded. When the removal fails, tries again after a while, as
  /// long as the client is in use and open. The level may be released earlier, because other levels
  /// with its prefix miss the key until then.
  private static func repair(
    _ entry: RedisJournal.Entry, _ hash: Int?, _ queue: KeyedQueue, on client: any RedisClient,
    after attempts: Int
  ) {
    let name = entry.name ?? entry.epoch.key
    let delay = attempts == 0 ? 0 : client.settings.backoff(attempts)
    let removal = Promise(()).delayed(by: .nanoseconds(delay)).flatMap { [weak client] in
      queue.write(hash) { [weak client] in
        guard let client, client.journal.contains(entry) else { return Promise() }
        if entry.name == nil { entry.epoch.forget() }
        // A server may know or permit only one of the two commands.
        let command = Array((attempts % 2 == 0 ? "UNLINK" : "DEL").utf8)
        return client.command([command, name], key: name, isRepeatable: true).map { _ in }
      }
    }
    removal.onCompletion { [weak client] outcome in
      guard let client, client.journal.contains(entry) else { return }
      guard case .failure(let error) = outcome else {
        return client.journal.succeeded(entry.name, entry.epoch, at: entry.place)
      }
      if case RedisError.closed = error { return }
      repair(entry, hash, queue, on: client, after: attempts + 1)
    }
  }
}

import Foundation
import StrataCore

/// The records of one prefix on a server or in a cluster.
final class RedisStore: Sendable {
  let client: any RedisClient
  let epoch: RedisEpoch
  /// A queue that makes operations on the same key take effect in the order of their calls. It's
  /// `nil` if the client already guarantees this order.
  let queue: KeyedQueue?
  private let prefix: [UInt8]
  let valueLimit: Int
  private let longestRequest: Int64
  /// The operations that haven't ended. Without a queue, the request ends its own operation: a
  /// listener of the promise would cost as much as the promise itself.
  let work: RunningWork

  init(_ server: RedisServer, prefix: String, valueLimit: Int) {
    let client = server.client
    self.client = client
    work = RunningWork(.stores, server.description) { client.close() }
    queue = client.keepsOrder ? nil : KeyedQueue()
    self.prefix = RedisName.bytes(of: prefix)
    (self.valueLimit, longestRequest) = (valueLimit, client.settings.deadlineNanoseconds)
    epoch = RedisEpoch(key: RedisName.epoch(of: self.prefix))
    client.witnesses.addLevel(self.prefix)
    client.observeRestarts(self)
  }

  /// A server may have lost the last writes, so all earlier records must miss.
  func serverHasRestarted() { fail(epoch.key, at: client.journal.nextPlace()) }

  deinit { client.witnesses.removeLevel(prefix) }

  /// The deadline of a request that begins now. This property is faster than that of the client,
  /// which copies all settings.
  var deadline: Int64 { runningNanoseconds() + longestRequest }

  func name(of key: String) -> [UInt8] { RedisName.bytes(of: key, prefix: prefix) }

  func get<Value>(_ key: String, _ format: RedisValueFormat<Value>) -> Promise<Value> {
    let (name, deadline) = (name(of: key), deadline)
    guard queue == nil else {
      return work.run { afterWrites(of: key) { self.get(name, deadline, format) } }
    }
    return counted { get(name, deadline, format, operation: $0) }
  }

  private func get<Value>(
    _ name: [UInt8], _ deadline: Int64, _ format: RedisValueFormat<Value>, operation: Int? = nil
  ) -> Promise<Value> {
    guard !isHidden(name) else {
      if let operation { work.end(operation) }
      return .miss
    }
    return Promise { continuation in
      client.send(RedisGet(self, name, deadline, format, operation, continuation))
    }
  }

  /// Begins an operation, or refuses it if the level is closed. `begin` sends a request. When its
  /// answer arrives, the request ends the operation.
  func counted<Value>(_ begin: (_ operation: Int) -> Promise<Value>) -> Promise<Value> {
    guard let operation = work.begin() else {
      return Promise(error: CacheError.closed(stage: client.description))
    }
    return begin(operation)
  }

  /// Returns a bulk get that sends up to 128 keys in one request, or fewer if the queue limit is
  /// lower. In a cluster, returns `nil`, because the keys may belong to different servers.
  func bulkGet<Value>(_ format: RedisValueFormat<Value>) -> BulkGet<String, Value>? {
    guard client.keepsOrder else { return nil }
    return BulkGet { keys in
      let limit = min(self.client.sizes.keysOfRequest, self.client.settings.limits.requests)
      let deadline = self.deadline
      return stride(from: 0, to: keys.count, by: limit).map { start in
        let part = keys[start..<min(start + limit, keys.count)]
        return self.get(RedisNames(of: part, prefix: self.prefix), by: deadline, format)
      }
    }
  }

  /// Gets the records of several names with one request.
  private func get<Value>(
    _ names: RedisNames, by deadline: Int64, _ format: RedisValueFormat<Value>
  ) -> Promise<[Promise<Value>.Outcome]> {
    let hidden =
      client.journal.isEmpty ? [] : (0..<names.count).filter { isHidden(Array(names[$0])) }
    let answer = Promise { continuation in
      client.send(RedisGets(self, names, deadline, format, continuation))
    }
    guard !hidden.isEmpty else { return answer }
    return answer.map { outcomes in
      var outcomes = outcomes
      for index in hidden { outcomes[index] = .failure(plainMiss) }
      return outcomes
    }
  }

  /// Whether gets of a key must miss, because its last write failed.
  func isHidden(_ name: [UInt8]) -> Bool {
    !client.journal.isEmpty && client.journal.hides(name, epoch)
  }

  /// Returns the key whose value the server stores under the given name.
  func key(of name: [UInt8]) -> String { RedisName.key(of: name, prefix: prefix) ?? "" }

  /// Runs a get of a key after the earlier writes to the key have settled.
  func afterWrites<Result>(
    of key: String, _ get: @escaping @Sendable () -> Promise<Result>
  ) -> Promise<Result> {
    guard let queue else { return get() }
    return queue.read(KeyVersions.hash(key), get)
  }
}

extension RedisError: StorageFailure {
  /// A damaged record concerns only its key, so the server can still grant leases.
  package var isOfOneValue: Bool { self == .damaged }
  package var isOvertaken: Bool { self == .overtaken }
}

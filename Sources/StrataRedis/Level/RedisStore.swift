import Foundation
import StrataCore

/// The records of one prefix on a server or in a cluster.
final class RedisStore: Sendable {
  let client: any RedisClient
  let epoch: RedisEpoch
  /// Makes operations on the same key take effect in the order of their calls. The property is
  /// `nil` for a client that already guarantees this order.
  private let queue: KeyedQueue?
  private let prefix: [UInt8]
  private let valueLimit: Int

  init(_ server: RedisServer, prefix: String, valueLimit: Int) {
    client = server.client
    queue = client.keepsOrder ? nil : KeyedQueue()
    self.prefix = CanonicalKey.bytes(of: prefix)
    self.valueLimit = valueLimit
    // The name of the epoch consists of the prefix, one 0x01 byte, and `epoch`. In the name of a
    // value, exactly one 0x01 byte never directly follows the prefix, because `name(of:)` writes a
    // leading 0x01 byte of a key twice.
    epoch = RedisEpoch(key: self.prefix + [1] + Array("epoch".utf8))
  }

  /// Returns the name under which the server stores a key: the prefix, followed by the key. Two
  /// strings that are equal in Swift have the same name.
  func name(of key: String) -> [UInt8] {
    CanonicalKey.withBytes(of: key) { bytes in
      var name: [UInt8] = []
      name.reserveCapacity(prefix.count + 1 + bytes.count)
      name += prefix
      if bytes.first == 1 { name.append(1) }
      name += bytes
      return name
    }
  }

  /// Returns the cache key whose value the server stores under the given name. Returns `nil` if the
  /// server stores the epoch under the given name.
  static func key(of name: [UInt8], prefix: [UInt8]) -> String? {
    var bytes = name.dropFirst(prefix.count)
    if bytes.first == 1 {
      bytes = bytes.dropFirst()
      if bytes.first != 1 { return nil }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func get<Value>(_ key: String, _ format: RedisValueFormat<Value>) -> Promise<Value> {
    let (name, deadline) = (name(of: key), client.deadline)
    return afterWrites(of: key) {
      Promise { continuation in
        self.client.send(
          .get(keys: [name], self.epoch), key: name, isRepeatable: true, by: deadline,
          size: name.count
        ) {
          continuation.settle(Self.value(of: name, $0, $1, format))
        }
      }
    }
  }

  /// Returns a bulk get that sends up to 128 keys with one request, or fewer if the queue limit is
  /// lower. Returns `nil` in a cluster, because the keys might belong to different servers.
  func bulkGet<Value>(_ format: RedisValueFormat<Value>) -> BulkGet<String, Value>? {
    guard client.keepsOrder else { return nil }
    let limit = min(RedisPipeline.mostGets, client.settings.limits.requests)
    return BulkGet { keys in
      let deadline = self.client.deadline
      return stride(from: 0, to: keys.count, by: limit).map { start in
        self.get(keys[start..<min(start + limit, keys.count)].map(self.name), by: deadline, format)
      }
    }
  }

  /// Gets the records of several names with one request.
  private func get<Value>(
    _ names: [[UInt8]], by deadline: Int64, _ format: RedisValueFormat<Value>
  ) -> Promise<[Promise<Value>.Outcome]> {
    Promise { continuation in
      client.send(
        .get(keys: names, epoch), key: names[0], isRepeatable: true, by: deadline,
        size: names.reduce(0) { $0 + $1.count + 200 }
      ) { epoch, answer in
        let replies: [RedisReply]? =
          if names.count > 1, case .success(let reply) = answer { reply.elements } else { nil }
        continuation.succeed(
          names.indices.map { index in
            Self.value(
              of: names[index], epoch, replies.map { .success($0[index]) } ?? answer, format)
          })
      }
    }
  }

  /// Runs a get of a key after the earlier writes to the key have settled.
  func afterWrites<Result>(
    of key: String, _ get: @escaping @Sendable () -> Promise<Result>
  ) -> Promise<Result> {
    guard let queue else { return get() }
    return queue.read(KeyVersions.hash(key), get)
  }

  /// Returns the value of a record, or an error if the record has no valid value.
  static func value<Value>(
    of name: [UInt8], _ epoch: RedisReply, _ answer: Result<RedisReply, RedisFailure>,
    _ format: RedisValueFormat<Value>
  ) -> Promise<Value>.Outcome {
    switch answer {
    case .failure(.timedOut): return .failure(CacheError.timedOut())
    case .failure(.error(let error)): return .failure(error)
    case .success(let reply):
      do throws(RedisError) {
        guard case .bytes(let data) = reply, let epoch = RedisEpoch.number(epoch),
          let record = try RedisRecord(data, key: name, epoch: epoch), record.kind != .lease,
          let value = format.value(record)
        else { return .failure(plainMiss) }
        return .success(value)
      } catch { return .failure(error) }
    }
  }

  func set<Value>(
    _ key: String, _ value: Value, _ format: RedisValueFormat<Value>
  ) -> Promise<Void> {
    let record = format.record(value)
    if let error = error(for: record) { return Promise(error: error) }
    let lifetime = record.deadline == .max ? nil : record.deadline - format.now()
    if let lifetime, lifetime <= 0 { return remove(key) }
    let name = name(of: key)
    let trailer = record.trailer(for: name)
    return write(
      .set(epoch) { encoder, epoch in
        encoder.begin(lifetime == nil ? 3 : 5)
        encoder.append("SET")
        encoder.append(name)
        encoder.append(record.value, RedisEpoch.bytes(epoch) + trailer)
        guard let lifetime else { return }
        encoder.append("PX")
        encoder.append("\(lifetime)")
      }, of: key, to: name, size: name.count + record.value.count)
  }

  /// Returns an error if the value of a record is too large, or `nil` otherwise.
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
    let deadline = client.deadline
    let send: @Sendable () -> Promise<Void> = {
      Promise { continuation in
        self.client.send(form, key: name, isRepeatable: false, by: deadline, size: size) {
          _, answer in
          continuation.settle(answer.map { _ in })
        }
      }
    }
    guard let queue else { return send() }
    return queue.write(key.map { KeyVersions.hash($0) }, send)
  }
}

extension RedisError: StorageFailure {
  /// A damaged record doesn't mean that the server can't grant a lease.
  package var isOfOneValue: Bool { self == .damaged }
}

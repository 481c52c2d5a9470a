import Foundation
import Strata

/// The right to back-fill a key. The server stores a lease as a record without a value. Any write
/// to the key replaces the record of the lease.
///
/// All gets that miss while a lease exists share that lease. The server refuses a back-fill if,
/// since the miss, any process has set the key, removed the key, or cleared the prefix.
struct RedisLease: Sendable, Equatable {
  let epoch: [UInt8]
  let token: [UInt8]
  let trailer: [UInt8]

  /// Creates a lease with a random token.
  init(for name: [UInt8], epoch: UInt64, at now: Int64) {
    self.epoch = RedisEpoch.bytes(epoch)
    token = RedisEpoch.bytes(RedisEpoch.random())
    let record = RedisRecord(kind: .lease, value: Data(token), created: now)
    trailer = record.trailer(for: name)
  }

  /// Creates the lease of a key from the key's record.
  init(_ record: RedisRecord, for name: [UInt8], epoch: UInt64) {
    self.epoch = RedisEpoch.bytes(epoch)
    token = Array(record.value)
    trailer = record.trailer(for: name)
  }
}

/// The options of leases.
struct RedisLeasing: Sendable {
  /// The maximum time from a miss to its back-fill, in milliseconds.
  var duration: Int64 = 10_000
  /// The maximum time that a get waits for another process's load, or `nil` if gets don't wait.
  var patience: Duration?
}

/// The result of looking up a key: a value, a lease, or neither.
private enum RedisFinding {
  case value(RedisRecord, epoch: UInt64)
  case lease(RedisLease)
  /// The server has no valid record of the key. The associated data contains the bytes of an
  /// invalid record, or is empty if the server has no record at all. A new lease may replace the
  /// invalid record.
  case absent(Data, epoch: UInt64?)

  init(_ name: [UInt8], _ epoch: RedisReply, _ reply: RedisReply) {
    let number = RedisEpoch.number(epoch)
    guard case .bytes(let data) = reply else {
      self = .absent(Data(), epoch: number)
      return
    }
    guard let number, let record = try? RedisRecord(data, key: name, epoch: number) else {
      self = .absent(data, epoch: number)
      return
    }
    self =
      record.kind == .lease
      ? .lease(RedisLease(record, for: name, epoch: number)) : .value(record, epoch: number)
  }
}

/// A get that stores a lease on the server after a miss.
private struct RedisLeasedGet<Value: Sendable>: Sendable {
  let store: RedisStore
  let name: [UInt8]
  let leasing: RedisLeasing
  let format: RedisValueFormat<Value>
  /// The time until which the get waits for another process's load.
  let patienceEnd: Int64?
  /// The deadline of the get's next request.
  var deadline: Int64

  func find() -> Promise<RedisFinding> {
    Promise { continuation in
      store.client.send(
        .get(key: name, store.epoch), key: name, isRepeatable: true, by: deadline, size: name.count
      ) { epoch, answer in
        continuation.settle(answer.map { RedisFinding(name, epoch, $0) })
      }
    }
  }

  func resolve(
    _ finding: RedisFinding, own: [UInt8]? = nil, delay: Duration = .milliseconds(5)
  ) -> Promise<Value> {
    switch finding {
    case .value(let record, let epoch):
      if let value = format.value(record) { return Promise(value) }
      let trailer = RedisEpoch.bytes(epoch) + record.trailer(for: name)
      return take(replacing: record.value + Data(trailer), epoch)
    case .absent(let replaced, let epoch): return take(replacing: replaced, epoch)
    case .lease(let lease):
      guard let patienceEnd, lease.token != own, runningNanoseconds() < patienceEnd else {
        return Promise(error: LeasedMiss(lease: lease))
      }
      // Another process is loading the value, so this get reads the record again after a delay.
      return Promise(()).delayed(by: delay).flatMap {
        var next = self
        next.deadline = store.client.deadline
        return next.find().flatMap { [next] in
          next.resolve($0, delay: min(delay * 2, .milliseconds(80)))
        }
      }
    }
  }

  /// Stores a lease on the server, and returns a miss. If another client has stored a value or a
  /// lease since the lookup, this function uses the other client's value or lease instead.
  private func take(replacing replaced: Data, _ found: UInt64?) -> Promise<Value> {
    store.client.number(of: store.epoch, found: found, by: deadline).flatMap { number in
      let lease = RedisLease(for: name, epoch: number, at: format.now())
      let arguments = [
        lease.epoch, lease.token, lease.trailer, Array("\(leasing.duration)".utf8),
        Array(replaced),
      ]
      let keys = store.client.scriptKeys(name, store.epoch)
      return store.client.run(.lease, keys: keys, arguments, by: deadline).flatMap { reply in
        guard let elements = reply.elements, elements.count == 2 else { throw RedisError.damaged }
        let finding = RedisFinding(name, elements[0], elements[1])
        // Another client has stored an invalid record since the lookup, so the get fails instead of
        // trying again.
        if case .absent = finding { throw RedisError.damaged }
        if case .value(let record, _) = finding, format.value(record) == nil { return .miss }
        return resolve(finding, own: lease.token)
      }
    }
  }
}

extension RedisStore {
  /// Returns a value, or a miss with a lease.
  func get<Value>(
    _ key: String, leasing: RedisLeasing, _ format: RedisValueFormat<Value>
  ) -> Promise<Value> {
    let get = RedisLeasedGet(
      store: self, name: name(of: key), leasing: leasing, format: format,
      patienceEnd: leasing.patience.map { runningNanoseconds() + $0.wholeNanoseconds },
      deadline: client.deadline)
    return afterWrites(of: key) { get.find() }.flatMap { get.resolve($0) }
  }

  /// Replaces a lease with a value, unless a write has already replaced the lease.
  func fill<Value>(
    _ key: String, _ value: Value, _ lease: RedisLease, _ format: RedisValueFormat<Value>
  ) -> Promise<Void> {
    let record = format.record(value)
    if let error = error(for: record) { return Promise(error: error) }
    let lifetime = record.deadline == .max ? nil : record.deadline - format.now()
    if let lifetime, lifetime <= 0 { return Promise() }
    let (name, deadline) = (name(of: key), client.deadline)
    let keys = client.scriptKeys(name, epoch)
    let arguments = [
      lease.token, lease.epoch, lease.trailer, Array(record.value), record.trailer(for: name),
      Array((lifetime.map { "\($0)" } ?? "").utf8),
    ]
    return client.run(.fill, keys: keys, arguments, by: deadline).flatMap { reply in
      guard reply == .integer(1) else { throw RedisError.overtaken }
      return Promise()
    }
  }
}

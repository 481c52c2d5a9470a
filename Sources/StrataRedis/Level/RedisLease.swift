import Foundation
import Strata

/// The right to fill in the value of a key: a record without a value, which any write replaces.
///
/// Gets that miss while a lease exists share it. So a back-fill is refused exactly if a write, a
/// removal, or a clear of any process followed the miss.
struct RedisLease: Sendable, Equatable {
  let epoch: [UInt8]
  let token: [UInt8]
  let trailer: [UInt8]

  /// Makes a lease with a random token.
  init(for name: [UInt8], epoch: UInt64, at now: Int64) {
    self.epoch = RedisEpoch.bytes(epoch)
    token = RedisEpoch.bytes(RedisEpoch.random())
    let record = RedisRecord(kind: .lease, value: Data(token), created: now)
    trailer = record.trailer(for: name)
  }

  /// Reads the lease of a key from its record.
  init(_ record: RedisRecord, for name: [UInt8], epoch: UInt64) {
    self.epoch = RedisEpoch.bytes(epoch)
    token = Array(record.value)
    trailer = record.trailer(for: name)
  }
}

/// The options of leases.
struct RedisLeasing: Sendable {
  /// The longest time from a miss to its back-fill, in milliseconds.
  var duration: Int64 = 10_000
  /// The longest time that a get waits for the load of another process, or `nil` for no wait.
  var patience: Duration?
}

extension RedisStore {
  /// The state of a key, as a sum needs it.
  private enum Finding {
    case value(RedisRecord, epoch: UInt64)
    case lease(RedisLease)
    /// No valid record. Contains the bytes in its place, which a lease may replace.
    case absent(Data, epoch: UInt64?)
  }

  private static func finding(
    _ name: [UInt8], _ epoch: RedisReply, _ reply: RedisReply
  ) -> Finding {
    let number = RedisEpoch.number(epoch)
    guard case .bytes(let data) = reply else { return .absent(Data(), epoch: number) }
    guard let number, let record = try? RedisRecord(data, key: name, epoch: number) else {
      return .absent(data, epoch: number)
    }
    return record.kind == .lease
      ? .lease(RedisLease(record, for: name, epoch: number)) : .value(record, epoch: number)
  }

  /// Returns a value, or a miss with a lease.
  func get<Value>(
    _ key: String, leasing: RedisLeasing, _ format: RedisValueFormat<Value>
  ) -> Promise<Value> {
    let deadline = client.deadline
    let name = name(of: key)
    let patience = leasing.patience.map { runningNanoseconds() + $0.wholeNanoseconds }
    return afterWrites(of: key) { self.find(name, by: deadline) }.flatMap {
      self.resolve(name, $0, leasing, format, until: patience)
    }
  }

  private func find(_ name: [UInt8], by deadline: Int64) -> Promise<Finding> {
    Promise { continuation in
      client.send(
        .get(key: name, epoch), key: name, isRepeatable: true, by: deadline, size: name.count
      ) { epoch, answer in
        continuation.settle(answer.map { Self.finding(name, epoch, $0) })
      }
    }
  }

  private func resolve<Value>(
    _ name: [UInt8], _ finding: Finding, _ leasing: RedisLeasing,
    _ format: RedisValueFormat<Value>, own: [UInt8]? = nil, until patience: Int64?,
    delay: Duration = .milliseconds(5)
  ) -> Promise<Value> {
    switch finding {
    case .value(let record, let epoch):
      if let value = format.value(record) { return Promise(value) }
      let trailer = RedisEpoch.bytes(epoch) + record.trailer(for: name)
      return take(name, replacing: record.value + Data(trailer), epoch, leasing, format, patience)
    case .absent(let replaced, let epoch):
      return take(name, replacing: replaced, epoch, leasing, format, patience)
    case .lease(let lease):
      guard let patience, lease.token != own, runningNanoseconds() < patience else {
        return Promise(error: LeasedMiss(lease: lease))
      }
      // Another process loads the value.
      return Promise(()).delayed(by: delay).flatMap {
        self.find(name, by: self.client.deadline)
      }.flatMap {
        self.resolve(
          name, $0, leasing, format, until: patience, delay: min(delay * 2, .milliseconds(80)))
      }
    }
  }

  /// Takes a lease, or returns the value or lease that another client has stored since the miss.
  private func take<Value>(
    _ name: [UInt8], replacing replaced: Data, _ found: UInt64?, _ leasing: RedisLeasing,
    _ format: RedisValueFormat<Value>, _ patience: Int64?
  ) -> Promise<Value> {
    client.number(of: epoch, found: found).flatMap { number in
      self.take(name, replacing: replaced, number, leasing, format, patience)
    }
  }

  private func take<Value>(
    _ name: [UInt8], replacing replaced: Data, _ number: UInt64, _ leasing: RedisLeasing,
    _ format: RedisValueFormat<Value>, _ patience: Int64?
  ) -> Promise<Value> {
    let lease = RedisLease(for: name, epoch: number, at: format.now())
    let arguments = [
      lease.epoch, lease.token, lease.trailer, Array("\(leasing.duration)".utf8), Array(replaced),
    ]
    return client.run(.lease, keys: client.scriptKeys(name, epoch), arguments).flatMap { reply in
      guard let elements = reply.elements, elements.count == 2 else { throw RedisError.damaged }
      let finding = Self.finding(name, elements[0], elements[1])
      // A second attempt would be useless: another client keeps damaging the record.
      if case .absent = finding { throw RedisError.damaged }
      if case .value(let record, _) = finding, format.value(record) == nil { return .miss }
      return self.resolve(name, finding, leasing, format, own: lease.token, until: patience)
    }
  }

  /// Stores a value under a lease, unless a write has replaced the lease.
  func fill<Value>(
    _ key: String, _ value: Value, _ lease: RedisLease, _ format: RedisValueFormat<Value>
  ) -> Promise<Void> {
    let record = format.record(value)
    if let error = error(for: record) { return Promise(error: error) }
    let lifetime = record.deadline == .max ? nil : record.deadline - format.now()
    if let lifetime, lifetime <= 0 { return Promise() }
    let name = name(of: key)
    let arguments = [
      lease.token, lease.epoch, lease.trailer, Array(record.value), record.trailer(for: name),
      Array((lifetime.map { "\($0)" } ?? "").utf8),
    ]
    return client.run(.fill, keys: client.scriptKeys(name, epoch), arguments).flatMap { reply in
      guard reply == .integer(1) else { throw RedisError.overtaken }
      return Promise()
    }
  }
}

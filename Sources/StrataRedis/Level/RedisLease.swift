import Foundation
import Strata

/// The right to fill in the value of a key: a record without a value, which any write replaces.
///
/// Gets that miss while a lease exists share it. So a back-fill is refused exactly if a write, a
/// removal, or a clear of any process followed the miss.
struct RedisLease: Sendable, Equatable {
  let token: [UInt8]
  let trailer: [UInt8]

  /// Makes a lease with a random token.
  init(for name: [UInt8], at now: Int64) {
    token = RedisEpoch.bytes(RedisEpoch.random())
    let record = RedisRecord(kind: .lease, value: Data(token), created: now)
    trailer = record.trailer(for: name)
  }

  /// Reads the lease of a key from its record.
  init(_ record: RedisRecord, for name: [UInt8]) {
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
    case value(RedisRecord)
    case lease(RedisLease)
    /// No valid record. Contains the stored bytes, which a lease may replace.
    case absent(Data)
  }

  private static func finding(
    _ name: [UInt8], _ epoch: RedisReply, _ reply: RedisReply
  ) -> Finding {
    guard case .bytes(let data) = reply else { return .absent(Data()) }
    guard let record = try? RedisRecord(data, key: name, epoch: RedisEpoch.number(epoch)) else {
      return .absent(data)
    }
    return record.kind == .lease ? .lease(RedisLease(record, for: name)) : .value(record)
  }

  /// Returns a value, or a miss with a lease.
  func get<Value>(
    _ key: String, leasing: RedisLeasing, _ format: RedisValueFormat<Value>
  ) -> Promise<Value> {
    let name = name(of: key)
    let patience = leasing.patience.map { runningNanoseconds() + $0.wholeNanoseconds }
    return find(name).flatMap { self.resolve(name, $0, leasing, format, until: patience) }
  }

  private func find(_ name: [UInt8]) -> Promise<Finding> {
    Promise { continuation in
      connection.send(.get(key: name, epoch), isRepeatable: true, size: name.count) {
        epoch, answer in
        continuation.settle(answer.map { Self.finding(name, epoch, $0) })
      }
    }
  }

  private func resolve<Value>(
    _ name: [UInt8], _ finding: Finding, _ leasing: RedisLeasing,
    _ format: RedisValueFormat<Value>, own: RedisLease? = nil, until patience: Int64?,
    delay: Duration = .milliseconds(5)
  ) -> Promise<Value> {
    switch finding {
    case .value(let record):
      if let value = format.value(record) { return Promise(value) }
      let trailer = record.trailer(for: name)
      let number = epoch.number.map(RedisEpoch.bytes) ?? []
      return take(name, replacing: record.value + Data(number + trailer), leasing, format, patience)
    case .absent(let replaced):
      return take(name, replacing: replaced, leasing, format, patience)
    case .lease(let lease):
      guard let patience, lease != own, runningNanoseconds() < patience else {
        return Promise(error: LeasedMiss(lease: lease))
      }
      // Another process loads the value.
      return Promise(()).delayed(by: delay).flatMap { self.find(name) }.flatMap {
        self.resolve(
          name, $0, leasing, format, until: patience, delay: min(delay * 2, .milliseconds(80)))
      }
    }
  }

  /// Takes a lease, or returns the value or lease that another client has stored since the miss.
  private func take<Value>(
    _ name: [UInt8], replacing replaced: Data, _ leasing: RedisLeasing,
    _ format: RedisValueFormat<Value>, _ patience: Int64?
  ) -> Promise<Value> {
    let own = RedisLease(for: name, at: format.now())
    let arguments = [
      RedisEpoch.bytes(RedisEpoch.random()), own.token, own.trailer,
      Array("\(leasing.duration)".utf8), Array(replaced),
    ]
    return connection.run(.lease, keys: [epoch.key, name], arguments).flatMap { reply in
      guard let elements = reply.elements, elements.count == 2 else { throw RedisError.damaged }
      let finding = Self.finding(name, elements[0], elements[1])
      // A second attempt would be useless: another client keeps damaging the record.
      if case .absent = finding { throw RedisError.damaged }
      if case .value(let record) = finding, format.value(record) == nil { return .miss }
      return self.resolve(name, finding, leasing, format, own: own, until: patience)
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
      lease.token, lease.trailer, Array(record.value), record.trailer(for: name),
      Array((lifetime.map { "\($0)" } ?? "").utf8),
    ]
    return connection.run(.fill, keys: [epoch.key, name], arguments).flatMap { reply in
      guard reply == .integer(1) else { throw RedisError.overtaken }
      return Promise()
    }
  }
}

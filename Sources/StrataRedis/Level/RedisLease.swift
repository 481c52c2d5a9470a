import Foundation
import Strata
import Synchronization

/// The right to back-fill a key. The server stores a lease in the record of its key, either without
/// a value or after the value that the back-fill will replace. Any write to the key replaces the
/// record and ends the lease.
///
/// All gets that need a lease while one exists share that lease. The server refuses a back-fill if,
/// since the get, any process has set the key, removed the key, or cleared the prefix.
final class RedisLease: Sendable {
  let epoch: [UInt8]
  let token: [UInt8]
  let trailer: [UInt8]
  private let isUsed = Atomic(false)
  private let end: (@Sendable () -> Void)?

  /// Creates the lease that a record contains.
  ///
  /// - Parameter end: A closure that ends the lease on the server. Called when this object is
  ///   released, unless a back-fill has used the lease.
  init(
    _ record: RedisRecord, for name: [UInt8], epoch: UInt64, end: (@Sendable () -> Void)? = nil
  ) {
    self.epoch = RedisEpoch.bytes(epoch)
    (token, trailer) = (record.token, record.trailer(for: name))
    self.end = end
  }

  deinit {
    if !isUsed.load(ordering: .acquiring) { end?() }
  }

  /// Prevents the end of the lease, because a back-fill replaces the record.
  func use() { isUsed.store(true, ordering: .releasing) }
}

/// The options of leases.
struct RedisLeasing: Sendable {
  /// The maximum time from a get to its back-fill, in milliseconds.
  var duration: Int64 = 10_000
  /// The maximum time that a get waits for another process's load, or `nil` if gets don't wait.
  var patience: Duration?
}

/// The result of looking up a key.
private enum RedisFinding {
  /// A valid record: a value, a lease, or both.
  case record(RedisRecord, epoch: UInt64)
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
    self = .record(record, epoch: number)
  }
}

/// A get that stores a lease on the server if it needs one.
private struct RedisLeasedGet<Value: Sendable>: Sendable {
  let store: RedisStore
  let name: [UInt8]
  let leasing: RedisLeasing
  /// Whether the caller has rejected the key's value, so the get takes a lease for the value.
  let isRenewing: Bool
  let format: RedisValueFormat<Value>
  /// The time until which the get waits for another process's load.
  let patienceEnd: Int64?
  /// The deadline of the get's next request.
  var deadline: Int64
  /// Whether the get has looked up the record before. A value without a lease that the get finds
  /// later is newer than the rejected value, so the get returns the newer value.
  var isLookingAgain = false

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
    case .absent(let replaced, let epoch): return take(replacing: replaced, epoch)
    case .record(let record, let epoch) where record.kind == .lease:
      return share(record, epoch, own, delay)
    case .record(let record, let epoch):
      guard let value = format.value(record) else {
        return take(replacing: record.value + record.ending(for: name, epoch: epoch), epoch)
      }
      guard isRenewing else { return Promise(value) }
      if let end = record.leaseEnd, isCurrent(end) { return share(record, epoch, own, delay) }
      let isNewer = isLookingAgain && record.kind == .value
      return isNewer ? Promise(value) : renew(record, epoch)
    }
  }

  /// Whether a lease with the given end hasn't expired. A lease whose end is too late comes from a
  /// machine with a wrong clock, so it counts as expired.
  private func isCurrent(_ end: Int64) -> Bool {
    let now = format.now()
    return now < end && end <= now + leasing.duration
  }

  /// Waits for the load of another process, or returns a miss with the lease of a record.
  private func share(
    _ record: RedisRecord, _ epoch: UInt64, _ own: [UInt8]?, _ delay: Duration
  ) -> Promise<Value> {
    if record.token == own { return miss(record, epoch) }
    guard let patienceEnd, runningNanoseconds() < patienceEnd else {
      return Promise(error: LeasedMiss(lease: RedisLease(record, for: name, epoch: epoch)))
    }
    // Another process is loading the value, so this get reads the record again after a delay.
    return Promise(()).delayed(by: delay).flatMap {
      let next = again
      return next.find().flatMap { next.resolve($0, delay: min(delay * 2, .milliseconds(80))) }
    }
  }

  /// This get with a new deadline, for another lookup.
  private var again: Self {
    var get = self
    (get.deadline, get.isLookingAgain) = (store.client.deadline, true)
    return get
  }

  /// Returns a miss with the lease that this get has stored. If other processes may be waiting for
  /// the load, the lease ends on the server when the get ends without a back-fill.
  private func miss(_ record: RedisRecord, _ epoch: UInt64) -> Promise<Value> {
    var end: (@Sendable () -> Void)?
    if leasing.patience != nil {
      let original = record.withoutLease?.ending(for: name, epoch: epoch) ?? []
      let endings = [record.ending(for: name, epoch: epoch), original]
      end = { [client = store.client, name] in
        _ = client.run(.replaceEnding, keys: [name], endings, by: client.deadline)
      }
    }
    return Promise(error: LeasedMiss(lease: RedisLease(record, for: name, epoch: epoch, end: end)))
  }

  /// Adds a lease to a value on the server, and returns a miss. The value remains readable. If
  /// another client has changed the record since the lookup, this function uses the other client's
  /// value or lease instead.
  private func renew(_ record: RedisRecord, _ epoch: UInt64) -> Promise<Value> {
    let leased = record.leased(
      until: format.now() + leasing.duration, token: RedisEpoch.bytes(RedisEpoch.random()))
    let endings = [record, leased].map { $0.ending(for: name, epoch: epoch) }
    return store.client.run(.replaceEnding, keys: [name], endings, by: deadline).flatMap { reply in
      if reply == .integer(1) { return miss(leased, epoch) }
      let next = again
      return next.find().flatMap { next.resolve($0, own: leased.token) }
    }
  }

  /// Stores a lease on the server, and returns a miss. If another client has stored a value or a
  /// lease since the lookup, this function uses the other client's value or lease instead.
  private func take(replacing replaced: Data, _ found: UInt64?) -> Promise<Value> {
    store.client.number(of: store.epoch, found: found, by: deadline).flatMap { number in
      let token = RedisEpoch.bytes(RedisEpoch.random())
      let lease = RedisRecord(kind: .lease, contents: Data(token), created: format.now())
      let arguments = [
        RedisEpoch.bytes(number), token, lease.trailer(for: name),
        Array("\(leasing.duration)".utf8), Array(replaced),
      ]
      let keys = store.client.scriptKeys(name, store.epoch)
      return store.client.run(.lease, keys: keys, arguments, by: deadline).flatMap { reply in
        guard let elements = reply.elements, elements.count == 2 else { throw RedisError.damaged }
        let finding = RedisFinding(name, elements[0], elements[1])
        // Another client has stored an invalid record since the lookup, so the get fails instead of
        // trying again.
        guard case .record(let record, _) = finding else { throw RedisError.damaged }
        if record.kind != .lease, format.value(record) == nil { return .miss }
        return again.resolve(finding, own: token)
      }
    }
  }
}

extension RedisStore {
  /// Returns a value, or a miss with a lease. If the caller has rejected the key's value, returns a
  /// newer value, or a miss with a lease.
  func get<Value>(
    _ key: String, leasing: RedisLeasing, isRenewing: Bool, _ format: RedisValueFormat<Value>
  ) -> Promise<Value> {
    let get = RedisLeasedGet(
      store: self, name: name(of: key), leasing: leasing, isRenewing: isRenewing, format: format,
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
    lease.use()
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

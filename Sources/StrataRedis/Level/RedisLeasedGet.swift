import Foundation
import StrataCore

/// The result of looking up a key.
enum RedisFinding {
  /// A valid record: a value, a lease, or both.
  case record(RedisRecord, epoch: UInt64)
  /// No record, an invalid one, or one of another epoch. The associated data are its bytes, or
  /// empty without a record. On a single server, a new lease may replace the record. In a cluster,
  /// the record may be newer than `epoch`.
  case absent(Data, epoch: UInt64?)

  init(_ name: [UInt8], epoch number: UInt64?, _ reply: RedisReply) {
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

/// The end of a get that has taken a lease.
struct RedisLeaseTaken: Error { let lease: RedisLease }

/// A get that takes a lease. If it finds a newer value than the sum has seen, it returns this value
/// instead. When the key has no lease to share, the get stores a new one on the server.
struct RedisLeasedGet<Value: Sendable>: Sendable {
  let store: RedisStore
  let name: [UInt8]
  let leasing: RedisLeasing
  /// Whether a verb or a codec has rejected the key's value. Then the get takes a lease although
  /// the key has a value.
  let isClaim: Bool
  let format: RedisValueFormat<Value>
  /// The time until which the get waits for another process's load.
  let patienceEnd: Int64?
  /// The deadline of the get's next request.
  var deadline: Int64
  /// The bytes that would follow the value that the first lookup found, if its record had no lease.
  /// When the first lookup found no value, the array is empty. Until the second lookup, it's `nil`.
  var rejected: [UInt8]?
  /// How often the server has refused the get's lease because the record had changed. After that,
  /// only a primary answers, because a replica that lags would show the earlier record.
  var refusals = 0
  /// The most refusals. Then the get fails, because another client writes the key all the time.
  private static var mostRefusals: Int { 8 }

  func find() -> Promise<RedisFinding> {
    Promise { continuation in
      let request = RedisClosureRequest(
        .get(store.epoch), name: name, isRepeatable: true, deadline: deadline, size: name.count
      ) { [name] answer, epoch in
        continuation.settle(answer.map { RedisFinding(name, epoch: epoch, $0) })
      }
      request.needsPrimary = refusals > 0
      store.client.send(request)
    }
  }

  func resolve(
    _ finding: RedisFinding, own: [UInt8]? = nil, delay: Duration = .milliseconds(5)
  ) -> Promise<Value> {
    switch finding {
    case .absent(let replaced, let epoch):
      if replaced.isEmpty || store.client.keepsOrder { return take(replacing: replaced, epoch) }
      return takeIfOutdated(replaced, own)
    case .record(let record, let epoch) where record.kind == .lease:
      return share(record, epoch, own, delay)
    case .record(let record, let epoch):
      let value = format.value(record)
      if let end = record.leaseEnd, isClaim || value == nil, isCurrent(end) {
        return share(record, epoch, own, delay)
      }
      guard let value else {
        return take(replacing: Data(record.ending(for: name, epoch: epoch)), epoch)
      }
      let isNewer = rejected != nil && rejected != ending(record, epoch)
      if !isClaim || isNewer { return Promise(value) }
      // The server refuses a lease if the record has changed. But a later lookup may still find the
      // rejected value, if another client has stored it again. Then the get fails instead of trying
      // again.
      return refusals > 0 ? Promise(error: RedisError.overtaken) : claim(record, epoch)
    }
  }

  /// Returns the bytes that would follow the record's value if the record had no lease.
  private func ending(_ record: RedisRecord, _ epoch: UInt64) -> [UInt8] {
    record.withoutLease?.ending(for: name, epoch: epoch) ?? []
  }

  /// Whether a lease with the given end hasn't expired. If the clocks of two machines differ, one
  /// may regard the other's lease as expired too early. Then both may load the same value.
  private func isCurrent(_ end: Int64) -> Bool {
    let now = format.now()
    return now < end && end <= now + 2 * leasing.duration
  }

  /// When another process has stored the record's lease, waits for its load until `patienceEnd`.
  /// Returns a miss with the lease if this get has stored it, or if `patienceEnd` has passed or is
  /// `nil`.
  private func share(
    _ record: RedisRecord, _ epoch: UInt64, _ own: [UInt8]?, _ delay: Duration
  ) -> Promise<Value> {
    if record.token == own { return miss(record, epoch) }
    guard let patienceEnd, runningNanoseconds() < patienceEnd else {
      return Promise(error: RedisLeaseTaken(lease: RedisLease(record, for: name, epoch: epoch)))
    }
    // Another process is loading the value, so this get reads the record again after a delay.
    return Promise(()).delayed(by: delay).flatMap {
      let next = again(after: ending(record, epoch))
      return next.find().flatMap { next.resolve($0, delay: min(delay * 2, .milliseconds(80))) }
    }
  }

  /// Returns this get with a new deadline, for another lookup.
  private func again(after ending: [UInt8]) -> Self {
    var get = self
    (get.deadline, get.rejected) = (store.client.deadline, rejected ?? ending)
    return get
  }

  /// Returns a miss with the lease that this get has stored. When the get ends without a back-fill,
  /// other processes may be waiting. So unless `leasing.patience` is `nil`, the get then ends its
  /// lease on the server.
  private func miss(_ record: RedisRecord, _ epoch: UInt64) -> Promise<Value> {
    let lease = RedisLease(record, for: name, epoch: epoch, end: ending(leaseOf: record, epoch))
    return Promise(error: RedisLeaseTaken(lease: lease))
  }

  /// Returns a closure that ends the record's lease on the server, or `nil` if gets don't wait for
  /// another process's load.
  private func ending(leaseOf record: RedisRecord, _ epoch: UInt64) -> (@Sendable () -> Void)? {
    guard leasing.patience != nil else { return nil }
    // The bytes of the lease stay after the value, because no command shortens a record in place.
    let ended = record.withoutLease?.leased(until: 0, token: Array(repeating: 0, count: 8))
    let arguments = [
      record.ending(for: name, epoch: epoch), ended?.ending(for: name, epoch: epoch) ?? [],
      Array("1".utf8),
    ]
    return { [client = store.client, name] in
      _ = client.run(.replaceEnding, keys: [name], arguments, by: client.deadline)
    }
  }

  /// Runs a script that stores the record's lease on the server, and passes the reply to a closure.
  /// When the get ends before the reply, the server may still store the lease, so this function
  /// ends the lease.
  private func run(
    _ script: RedisScript, keys: [[UInt8]], _ arguments: [[UInt8]], storing record: RedisRecord,
    _ epoch: UInt64, _ receive: @escaping @Sendable (RedisReply) throws -> Promise<Value>
  ) -> Promise<Value> {
    let answer = store.client.run(script, keys: keys, arguments, by: deadline)
    guard leasing.patience != nil else { return answer.flatMap { try receive($0) } }
    let isReceived = Lock(false)
    let result = answer.flatMap { reply in
      isReceived.withLock { $0 = true }
      return try receive(reply)
    }
    // Because of this listener, the request continues after the get was cancelled. The reply
    // contains the epoch of the lease, which the get may not have known.
    answer.onCompletion { outcome in
      guard !isReceived.withLock({ $0 }) else { return }
      let stored = outcome.value?.elements?.first.flatMap { RedisEpoch.number($0) }
      ending(leaseOf: record, stored ?? epoch)?()
    }
    return result
  }

  /// Looks the record up again, because the server has refused a lease.
  private func refused(
    after ending: [UInt8]?, use: @escaping @Sendable (Self, RedisFinding) -> Promise<Value>
  ) throws -> Promise<Value> {
    guard refusals < Self.mostRefusals else { throw RedisError.overtaken }
    var next = ending.map(again) ?? self
    (next.deadline, next.refusals) = (store.client.deadline, refusals + 1)
    return next.find().flatMap { [next] in use(next, $0) }
  }

  /// Adds a lease to a value on the server, and returns a miss. The value remains readable. When
  /// another client has changed the record since the lookup, uses that client's value or lease
  /// instead.
  private func claim(_ record: RedisRecord, _ epoch: UInt64) -> Promise<Value> {
    let token = RedisEpoch.bytes(RedisEpoch.random())
    let leased = record.leased(until: format.now() + leasing.duration, token: token)
    let arguments =
      [record, leased].map { $0.ending(for: name, epoch: epoch) }
      + [Array("\(leasing.duration)".utf8)]
    return run(.replaceEnding, keys: [name], arguments, storing: leased, epoch) { reply in
      if reply == .integer(1) { return miss(leased, epoch) }
      return try refused(after: ending(record, epoch)) { $0.resolve($1, own: token) }
    }
  }

  /// Reads the epoch again. If the record is invalid or belongs to another epoch, stores a lease,
  /// and otherwise uses the record.
  ///
  /// In a cluster, a lookup might read the epoch before a `clear`, and the record after a later
  /// `set`. So only an epoch that was read after the record can show that the record is outdated.
  private func takeIfOutdated(_ record: Data, _ own: [UInt8]?) -> Promise<Value> {
    store.client.number(of: store.epoch, found: nil, by: deadline).flatMap { number in
      let finding = RedisFinding(name, epoch: number, .bytes(record))
      guard case .absent = finding else { return resolve(finding, own: own) }
      return take(replacing: record, number)
    }
  }

  /// Stores a lease on the server, and returns a miss. When another client has stored a value or a
  /// lease since the lookup, uses that instead.
  ///
  /// - Parameter replaced: The last bytes of the record that the lease may replace.
  private func take(replacing replaced: Data, _ found: UInt64?) -> Promise<Value> {
    store.client.number(of: store.epoch, found: found, by: deadline).flatMap { number in
      let token = RedisEpoch.bytes(RedisEpoch.random())
      let lease = RedisRecord(kind: .lease, contents: Data(token), created: format.now())
      let arguments = [
        RedisEpoch.bytes(number), token, lease.trailer(for: name),
        Array("\(leasing.duration)".utf8), Array(RedisRecord.end(of: replaced, unlessOf: number)),
      ]
      let keys = store.client.scriptKeys(name, store.epoch)
      return run(.lease, keys: keys, arguments, storing: lease, found ?? number) { reply in
        guard let elements = reply.elements, elements.count == 2,
          let number = RedisEpoch.number(elements[0])
        else { throw RedisError.damaged }
        // Another client has stored a value. Only a get can read it without blocking the server.
        if elements[1] == .integer(0) { return try refused(after: nil) { $0.use($1, token) } }
        return use(RedisFinding(name, epoch: number, elements[1]), token)
      }
    }
  }

  /// Uses the record that the server had when it received the request for a lease.
  private func use(_ finding: RedisFinding, _ token: [UInt8]) -> Promise<Value> {
    guard case .record(let record, _) = finding else {
      // Since the lookup, another client has stored a record that is invalid or, in a cluster,
      // belongs to another epoch. The lookup itself found no value, so no verb can have rejected
      // the value of this record.
      var next = self
      next.rejected = rejected ?? []
      return next.resolve(finding, own: token)
    }
    // The first request may find an expired value. If a later request finds one as well, the get
    // misses instead of trying again.
    if record.kind != .lease, format.value(record) == nil, rejected != nil { return .miss }
    return again(after: []).resolve(finding, own: token)
  }
}

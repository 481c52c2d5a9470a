import Foundation
import StrataCore
import Synchronization

/// The right to back-fill a key. It's stored in the key's record on the server: either alone, or
/// after the value that the back-fill will replace. Any write to the key replaces the record, and
/// thus ends the lease.
///
/// While a key has a lease that hasn't expired, all gets that need one share it. The server refuses
/// a back-fill if any process has set or removed the key, or cleared the prefix, since the get.
final class RedisLease: Sendable {
  let epoch: [UInt8]
  let token: [UInt8]
  let trailer: [UInt8]
  private let isUsed = Atomic(false)
  private let end: (@Sendable () -> Void)?

  /// Creates the lease that a record contains.
  ///
  /// - Parameter end: A closure that ends the lease on the server. It's called when this object is
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

  /// Prevents the call of the `end` closure. Call this function if a back-fill replaces the record
  /// with its lease, or if another object must end the lease instead.
  func use() { isUsed.store(true, ordering: .releasing) }

  /// Makes this object responsible for the lease again, because the back-fill has failed.
  func reclaim() { isUsed.store(false, ordering: .releasing) }
}

/// The options of leases.
struct RedisLeasing: Sendable {
  /// The time after which a lease expires, in milliseconds.
  var duration: Int64 = 10_000
  /// The maximum time that a get waits for a load of another process, or `nil` if gets don't wait.
  var patience: Duration?
}

extension RedisStore {
  /// Takes a lease of a key. The result is `nil` if the level has a newer value. See `Tickets`.
  ///
  /// The lease is taken after a get that found no value. So usually the key isn't read again, and
  /// one request is enough. When a verb or a codec has rejected a value, the lease is added to this
  /// value, which remains readable.
  func lease<Value>(
    _ key: String, rejects: Bool, _ leasing: RedisLeasing, _ format: RedisValueFormat<Value>
  ) -> Promise<(any Sendable)?> {
    let get = RedisLeasedGet(
      store: self, name: name(of: key), leasing: leasing, isClaim: rejects, format: format,
      patienceEnd: leasing.patience.map { runningNanoseconds() + $0.shortNanoseconds },
      deadline: client.deadline)
    guard !isHidden(get.name) else { return Promise(error: RedisError.overtaken) }
    let known = client.keepsOrder ? epoch.number : nil
    let found = afterWrites(of: key) {
      rejects ? get.find() : Promise(RedisFinding.absent(Data(), epoch: known))
    }
    return found.flatMap { get.resolve($0) }.map { _ in nil }.recover { error in
      guard let taken = error as? RedisLeaseTaken else { throw error }
      return taken.lease
    }
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
      lease.epoch, lease.token + lease.epoch + lease.trailer,
      record.value + lease.epoch + record.trailer(for: name),
      Array((lifetime.map { "\($0)" } ?? "").utf8),
    ]
    let fill = RedisFill(
      name, epochKey: epoch.key, epoch: lease.epoch, trailer: record.trailer(for: name))
    client.witnesses.report(.fills(fill))
    let answer = client.run(.fill, keys: keys, arguments, by: deadline)
    answer.onCompletion { [client] outcome in
      if outcome.value == nil { lease.reclaim() }
      let hasSucceeded = outcome.value == .integer(1)
      client.witnesses.report(.filled(fill, hasSucceeded: hasSucceeded))
    }
    return answer.flatMap { reply in
      guard reply == .integer(1) else { throw RedisError.overtaken }
      return Promise()
    }
  }
}

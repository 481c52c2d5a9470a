/// A miss with a lease, which is the right to back-fill the missing value. The next write to the
/// key ends the lease.
///
/// A sum passes the lease to the back-fill that follows the miss. With the lease, a level can
/// distinguish a back-fill from a caller's `set`. The level can also refuse a back-fill if the key
/// has been written since the miss, even by another process. Only a sum (`+`) receives leased
/// misses. Other callers receive an ordinary miss, because they don't back-fill the level.
package struct LeasedMiss: MissError {
  package let isMiss = true
  /// The lease. The level defines the type of the lease object. The lease ends when the lease
  /// object is released.
  package let lease: any Sendable

  package init(lease: any Sendable) { self.lease = lease }
}

/// The leases that the levels of a sum returned during one get. Each lease is stored with the index
/// of its level.
struct SumLeases: Sendable {
  private var leases: [(level: Int, lease: any Sendable)] = []

  var isEmpty: Bool { leases.isEmpty }

  subscript(level: Int) -> (any Sendable)? { leases.first { $0.level == level }?.lease }

  mutating func add(_ lease: any Sendable, of level: Int) { leases.append((level, lease)) }
}

/// The result of a back-fill if the level needs a lease, but the get returned no lease. The level
/// hasn't stored the value. This isn't a failure of the level, so circuit breakers don't count it,
/// and observers don't receive it.
struct MissingLease: MissError { let isMiss = true }

/// A failure of a level itself, such as a lost connection. After such a failure, a sum doesn't ask
/// the level for a lease.
package protocol StorageFailure: Error {}

/// The operation for which a sum needs a variant of a cache that supports leases.
package enum LeaseUse: Sendable {
  /// A get. A miss can contain a new lease (`LeasedMiss`).
  case reading
  /// A get after a verb or a codec has rejected the level's value, for example because the value is
  /// too old or can't be decoded. The level returns a lease although it has a value, or returns a
  /// newer value.
  case renewing
  /// A back-fill with the lease of the preceding get, or with `nil` if the get returned no lease.
  case backFilling((any Sendable)?)
}

extension CacheMetadata {
  /// A function that returns the variant of this cache for an operation of a sum, or `nil` if this
  /// cache can't be back-filled without a lease. All variants share this cache's state.
  package typealias Leasing = @Sendable (LeaseUse) -> Cache<Key, Value>?

  /// Returns the `leasing` function for the cache that `transform` returns, or `nil` if this cache
  /// doesn't support leases.
  func leasingRebuilt<NewKey, NewValue>(
    _ transform: @escaping @Sendable (Cache<Key, Value>) -> Cache<NewKey, NewValue>
  ) -> CacheMetadata<NewKey, NewValue>.Leasing? {
    guard let leasing else { return nil }
    return { leasing($0).map(transform) }
  }
}

/// The failure of a get whose level was asked for a lease afterward. See `LeaseUse.renewing`.
struct RenewedFailure: Error {
  /// The failure of the get.
  let failure: any Error
  /// The lease, or `nil` if the level returned no lease.
  let lease: (any Sendable)?
}

extension CacheMetadata.Member {
  /// Asks the level for a lease after a get has failed without one. The level may have a value that
  /// a verb or a codec above the level has rejected.
  ///
  /// Returns `nil` if the level itself failed or has already been asked. If the level has no newer
  /// value, the result fails with a `RenewedFailure`.
  func renewed(_ key: Key, after failure: any Error) -> Promise<Value>? {
    let isAnswered = failure is LeasedMiss || failure is RenewedFailure
    if isAnswered || failure is any StorageFailure || failure.isFromHangingLevel { return nil }
    return cache.metadata.leasing?(.renewing)?.get(key).recover { error -> Promise<Value> in
      throw RenewedFailure(failure: failure, lease: (error as? LeasedMiss)?.lease)
    }
  }

  /// Returns the cache into which a back-fill writes, or `nil` if the level can't be back-filled
  /// without a lease, and `leases` doesn't contain one.
  func filling(with leases: SumLeases?, of level: Int) -> Cache<Key, Value>? {
    guard let leasing = cache.metadata.leasing else { return cache }
    return leasing(.backFilling(leases?[level]))
  }
}

extension Cache {
  /// The variant of this cache whose `set` stores nothing and fails with `MissingLease`.
  var refusingBackFills: Cache {
    var operations = operations
    operations.set = { _, _ in Promise(error: MissingLease()) }
    return Cache(operations, metadata: metadata)
  }

  /// The variant of this cache whose `get` always misses.
  var missing: Cache {
    var operations = operations
    operations.get = { _ in .miss }
    return Cache(operations, metadata: metadata)
  }

  /// Returns this cache with support for leases. A lease is the right of a sum to back-fill a key.
  /// See `LeasedMiss`.
  ///
  /// - Parameters:
  ///   - patience: The maximum time that a sum waits for one operation, or `nil` to keep this
  ///     cache's limit.
  ///   - variant: A closure that takes this cache and the use of its result, and returns operations
  ///     that share this cache's state. The closure never receives `.backFilling(nil)`, because a
  ///     level isn't back-filled without a lease.
  package func leasing(
    patience: Duration? = nil,
    _ variant: @escaping @Sendable (Cache, LeaseUse) -> CacheOperations<Key, Value>
  ) -> Cache {
    let (cache, patience) = (self, patience ?? metadata.patience)
    return Cache(
      operations,
      metadata: CacheMetadata(
        plan: metadata.plan, isReadOnly: metadata.isReadOnly, clock: metadata.clock,
        patience: patience, forget: metadata.forget,
        reporting: { cache.reporting(to: $0).leasing(patience: patience, variant) },
        leasing: { use in
          if case .backFilling(nil) = use { return nil }
          return Cache(variant(cache, use), metadata: cache.metadata)
        }))
  }
}

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

/// A way to ask a level for a lease although the level has a value, because a verb or a codec above
/// the level has rejected the value. For example, the value can be too old.
///
/// The request for a lease applies key maps, but skips all other verbs, codecs, and observers. If
/// the level has a newer value, the sum reads the level again. The second read applies all verbs,
/// codecs, and observers.
package final class LeaseClaims<Key: Sendable>: Sendable {
  package typealias Claim = @Sendable (Key) -> Promise<Void>

  /// Asks the level for a lease of a key. If the level grants the lease, the returned promise fails
  /// with a `LeasedMiss` that contains the lease. If the level has a newer value, the returned
  /// promise succeeds, and the sum reads the newer value with another get.
  let claim: Claim

  package init(_ claim: @escaping Claim) { self.claim = claim }
}

/// The failure of a get, and the lease that the sum requested from the level after the failure. See
/// `LeaseClaims`.
struct ClaimedFailure: Error {
  /// The failure of the get.
  let failure: any Error
  /// The lease, or `nil` if the level returned no lease.
  let lease: (any Sendable)?

  init(_ failure: any Error, _ lease: (any Sendable)? = nil) {
    (self.failure, self.lease) = (failure, lease)
  }

  /// Whether a sum requests a lease from the level after a get has failed. The result is false if
  /// the get returned a lease, or if the sum has already requested a lease. The result is also
  /// false if the level itself failed or timed out, or if a write that exceeded its time bound has
  /// made the value unknown. If a condition, a full queue, or an open circuit caused the failure,
  /// the result is false, too.
  static func needsClaim(after failure: any Error) -> Bool {
    if failure is LeasedMiss || failure is ClaimedFailure || failure is any StorageFailure {
      return false
    }
    if case .timedOut? = failure as? CacheError { return false }
    return !failure.isRefusal
  }
}

/// The kind of operation that a sum runs on a cache that supports leases. The sum uses a separate
/// variant of the cache for each kind.
package enum LeaseUse: Sendable {
  /// A get. A miss can contain a new lease (`LeasedMiss`).
  case reading
  /// A back-fill with the lease of the preceding get, or with `nil` if the get returned no lease.
  case backFilling((any Sendable)?)
}

extension CacheMetadata {
  /// A function that returns the variant of this cache that a sum uses for an operation. The
  /// function returns `nil` for a back-fill without a lease if this cache needs a lease for each
  /// back-fill. All variants share this cache's state.
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

extension CacheMetadata.Member {
  /// Returns the cache into which a back-fill writes. The result is `nil` if the level needs a
  /// lease for each back-fill and `leases` doesn't contain the level's lease.
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

  /// Returns this cache with support for leases. A lease is the right of a sum to back-fill a key.
  /// See `LeasedMiss`.
  ///
  /// - Parameters:
  ///   - patience: The maximum time that a sum waits for one operation, or `nil` to keep this
  ///     cache's limit.
  ///   - claim: A closure that requests a lease for a key from the level, even if the level has a
  ///     value for the key.
  ///   - lease: A closure that takes this cache and an optional lease, and returns operations that
  ///     share this cache's state. If the lease is `nil`, a sum reads with the returned `get`,
  ///     whose misses can contain a new lease. If the lease isn't `nil`, a sum back-fills with the
  ///     returned `set`, which uses this lease. Verbs can also call the other operations.
  package func leasing(
    patience: Duration? = nil, claim: LeaseClaims<Key>.Claim? = nil,
    _ lease: @escaping @Sendable (Cache, (any Sendable)?) -> CacheOperations<Key, Value>
  ) -> Cache {
    let (cache, patience) = (self, patience ?? metadata.patience)
    return Cache(
      operations,
      metadata: CacheMetadata(
        plan: metadata.plan, isReadOnly: metadata.isReadOnly, clock: metadata.clock,
        patience: patience, forget: metadata.forget,
        reporting: { cache.reporting(to: $0).leasing(patience: patience, claim: claim, lease) },
        leasing: { use in
          switch use {
          case .reading: return Cache(lease(cache, nil), metadata: cache.metadata)
          case .backFilling(let right):
            return right.map { Cache(lease(cache, $0), metadata: cache.metadata) }
          }
        }, claims: claim.map(LeaseClaims.init), source: source))
  }
}

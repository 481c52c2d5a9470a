/// A miss with a lease, which is the right to back-fill the missing value. The next write to the
/// key ends the lease.
///
/// A sum passes the lease to the back-fill that follows the miss. With the lease, a level can
/// distinguish a back-fill from a caller's `set`. The level can also refuse a back-fill if the key
/// has been written since the miss, even by another process. A level returns leased misses only to
/// a sum. Other callers receive an ordinary miss, because they don't back-fill the level.
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

extension CacheMetadata {
  /// A function that returns a variant of this cache for reading, or for a back-fill with a lease.
  /// A lease is the right to back-fill a key. All variants share this cache's state.
  ///
  /// If the argument is `nil`, the function returns the variant for reading. In this variant, a
  /// miss can contain a new lease (`LeasedMiss`). If the argument is a lease, the function returns
  /// the variant for a back-fill, whose `set` uses the lease.
  package typealias Leasing = @Sendable (_ lease: (any Sendable)?) -> Cache<Key, Value>

  /// Returns the `leasing` function for the cache that `transform` returns, or `nil` if this cache
  /// doesn't support leases.
  func leasingRebuilt<NewKey, NewValue>(
    _ transform: @escaping @Sendable (Cache<Key, Value>) -> Cache<NewKey, NewValue>
  ) -> CacheMetadata<NewKey, NewValue>.Leasing? {
    guard let leasing else { return nil }
    return { transform(leasing($0)) }
  }
}

extension CacheMetadata.Member {
  /// Returns the cache into which a back-fill writes, or `nil` if the level needs a lease that
  /// `leases` doesn't contain.
  func filling(with leases: SumLeases?, of level: Int) -> Cache<Key, Value>? {
    guard let leasing = cache.metadata.leasing else { return cache }
    guard let lease = leases?[level] else { return nil }
    return leasing(lease)
  }
}

extension Cache {
  /// Returns this cache with support for leases. A lease is the right of a sum to back-fill a key.
  /// See `LeasedMiss`.
  ///
  /// - Parameters:
  ///   - patience: The maximum time that a sum waits for one operation, or `nil` to keep this
  ///     cache's limit.
  ///   - lease: A closure that takes this cache and an optional lease, and returns operations that
  ///     share this cache's state. If the closure receives `nil` instead of a lease, its result is
  ///     for reading, and a miss can contain a new lease. If the closure receives a lease, its
  ///     result is for a back-fill, and the `set` uses the lease.
  package func leasing(
    patience: Duration? = nil,
    _ lease: @escaping @Sendable (Cache, (any Sendable)?) -> CacheOperations<Key, Value>
  ) -> Cache {
    let (cache, patience) = (self, patience ?? metadata.patience)
    return Cache(
      operations,
      metadata: CacheMetadata(
        plan: metadata.plan, isReadOnly: metadata.isReadOnly, clock: metadata.clock,
        patience: patience, forget: metadata.forget,
        reporting: { cache.reporting(to: $0).leasing(patience: patience, lease) },
        leasing: { Cache(lease(cache, $0), metadata: cache.metadata) }))
  }
}

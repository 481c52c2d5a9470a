import Synchronization

/// The storage of a memory level.
///
/// Thirty-two shards map keys to nodes, and each shard has its own lock. One policy, which an
/// `AdaptiveLock` guards, decides which entries to evict. A hit takes only the lock of the key's
/// shard. An insertion or removal takes the policy lock, and then the locks of the affected shards,
/// one at a time. Only `setFast` takes them in another order. If a key's `==` is user code, the
/// store calls it outside the locks, and then validates the result under a lock.
///
/// - Invariant: The store never holds more than its capacity.
@usableFromInline
package final class MemoryStore<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // `Sendable` is unchecked, because the locks guard the nodes and the shards.
  @usableFromInline let hash: KeyHash
  @usableFromInline let shards: UnsafeMutableRawPointer
  @usableFromInline let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @usableFromInline let policy: AdaptiveLock<A2F>
  /// The capacity, which the policy lock guards.
  @usableFromInline let limit: Atomic<Int>
  @usableFromInline let cost: (@Sendable (Value) -> Int)?
  /// The minimum cost of an entry that isn't pinned. It's more than one if the number of entries is
  /// limited as well as their size. Only a thread with the policy lock changes it.
  @usableFromInline let leastCost: Atomic<Int>
  /// Computes the cost of an entry from its key and its value. The entry is pinned if the cost is
  /// zero.
  @usableFromInline let keyedCost: (@Sendable (Key, Value) -> Int)?
  /// The keys that have been written, or `nil` if the level can't be saved.
  @usableFromInline package let written: WrittenKeys?
  /// The expiration times, if the values are stamped.
  @usableFromInline let expirations: ExpirationTracker<Value>?

  /// - Parameters:
  ///   - cost: A closure that returns the cost of a value. `nil` means that each value costs one.
  ///   - share: The minimum cost.
  ///   - goal: The hit ratio to favor if there is a `cost`.
  ///   - expirations: The expiration times. `nil` means that values don't expire.
  ///   - keyedCost: A closure that computes the cost of an entry from its key and its value. It
  ///     replaces `cost`.
  ///   - pins: The maximum number of entries whose `keyedCost` is zero.
  ///   - isAdjustable: Whether the capacity can change, and the level can be saved.
  ///   - seed: The secret seed of the hash function. Tests pass a constant. By default, it's the
  ///     process's seed.
  @usableFromInline
  init(
    capacity: Int, cost: (@Sendable (Value) -> Int)?, share: Int = 1,
    favoring goal: HitRatioGoal = .objects,
    expirations: ExpirationTracker<Value>? = nil,
    keyedCost: (@Sendable (Key, Value) -> Int)? = nil, pins: Int = 0, isAdjustable: Bool = false,
    seed: UInt64? = nil
  ) {
    limit = Atomic(max(0, capacity))
    self.cost = cost
    leastCost = Atomic(share)
    self.keyedCost = keyedCost
    written = isAdjustable ? WrittenKeys(entries: max(0, capacity)) : nil
    self.expirations = expirations
    hash = seed.map { KeyHash(seed: $0) } ?? .ofProcess
    var policy = A2F(
      capacity: max(0, capacity), isWeighted: cost != nil || keyedCost != nil, favoring: goal,
      stride: MemoryStore.stride, alignment: MemoryStore.alignment, isAdjustable: isAdjustable)
    policy.pinLimit = max(0, pins)
    chunks = policy.nodes.chunks
    self.policy = AdaptiveLock(policy)
    shards = MemoryShard.allocate(MemoryShard.shardCount)
  }

  deinit {
    removeAll()
    policy.withLock { $0.deallocate() }
    MemoryShard.deallocate(shards, MemoryShard.shardCount)
    chunks.deallocate()
  }

  /// The current maximum sum of costs.
  @inlinable
  @inline(__always) var capacity: Int { limit.load(ordering: .relaxed) }

  /// The current minimum cost of an entry that isn't pinned.
  @inlinable
  @inline(__always) var share: Int { leastCost.load(ordering: .relaxed) }

  /// The sum of the costs of all entries.
  var total: Int { policy.withLock { $0.total } }

  /// Returns the value of a key, and marks its entry as visited, unless `look` is `peek`.
  @inlinable
  @inline(__always)
  package func value(for key: Key, _ look: MemoryLook = .get) -> Value? {
    let hash = hash(key)
    guard KeyHash.isPlain(Key.self) else { return value(for: key, of: hash, look) }
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    guard let node = find(key, hash, in: shard)?.node else {
      if look == .get { MemoryShard.counts(of: shard)[1] &+= 1 }
      release(&shard.pointee.mutex)
      return nil
    }
    if look != .peek {
      node.pointee.visit()
      MemoryShard.counts(of: shard)[0] &+= 1
    }
    let value = valuePointer(node).pointee
    release(&shard.pointee.mutex)
    return value
  }
}

/// The trace that a lookup in a memory level leaves.
@usableFromInline
package enum MemoryLook {
  /// The lookup counts as a hit or a miss.
  case get
  /// The lookup counts if it's a hit. Misses leave no trace.
  case hit
  /// The lookup leaves no trace.
  case peek
}

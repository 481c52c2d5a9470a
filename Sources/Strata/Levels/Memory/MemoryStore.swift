import Synchronization

/// The inside of the memory level.
///
/// Thirty-two shards find an entry's node by its key, each with a lock of its own; one policy,
/// behind a gate, decides what stays. A hit takes the lock of its shard alone; what changes the
/// number of entries takes the policy's and then, one at a time, those of the shards concerned.
/// Where a key's `==` is code of the user, it runs outside the locks, and what it found is checked
/// afterwards.
///
/// - Invariant: Never more than the capacity is held, at any moment.
@usableFromInline
final class MemoryStore<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // Unchecked: nodes and shards are reached under the locks alone.
  @usableFromInline let hash: KeyHash
  @usableFromInline let shards: UnsafeMutableRawPointer
  @usableFromInline let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @usableFromInline let policy: Gate<A2F>
  @usableFromInline let capacity: Int
  @usableFromInline let cost: (@Sendable (Value) -> Int)?
  /// Of stamped values: when each is over.
  @usableFromInline let ages: Ages<Value>?

  /// - Parameters:
  ///   - cost: What a value counts for; one if `nil`.
  ///   - ages: When values are over, if they ever are.
  ///   - seed: The secret of the hash; tests fix it.
  @usableFromInline
  init(
    capacity: Int, cost: (@Sendable (Value) -> Int)?, ages: Ages<Value>? = nil, seed: UInt64? = nil
  ) {
    self.capacity = max(0, capacity)
    self.cost = cost
    self.ages = ages
    hash = seed.map { KeyHash(seed: $0) } ?? .ofProcess
    let policy = A2F(
      capacity: max(0, capacity), isWeighted: cost != nil, stride: MemoryStore.stride,
      alignment: MemoryStore.alignment)
    chunks = policy.nodes.chunks
    self.policy = Gate(policy)
    shards = .allocate(byteCount: MemoryShard.number * MemoryShard.stride, alignment: 128)
    for number in 0..<MemoryShard.number { MemoryShard.initialize(at: shard(number)) }
  }

  deinit {
    removeAll()
    policy.withState { $0.deallocate() }
    for number in 0..<MemoryShard.number { MemoryShard.destroy(shard(number)) }
    shards.deallocate()
    chunks.deallocate()
  }

  /// The sum of the costs of what is held: never more than the capacity.
  var total: Int { policy.withState { $0.total } }

  /// The value of a key, and a note in its entry that it was wanted.
  @inlinable
  @inline(__always)
  func value(for key: Key) -> Value? {
    let hash = hash(key)
    guard KeyHash.isPlain(Key.self) else { return value(for: key, of: hash) }
    let shard = shard(of: hash)
    acquire(&shard.pointee.mutex)
    guard let node = find(key, hash, in: shard)?.node else {
      release(&shard.pointee.mutex)
      return nil
    }
    node.pointee.visit()
    let value = valuePointer(node).pointee
    release(&shard.pointee.mutex)
    return value
  }
}

/// The size of a ``MemoryStorage``, and counts of the operations on it.
public struct MemoryStatistics: Equatable, Sendable {
  /// The number of values, including expired values.
  public var count: Int
  /// The number of values whose cost is zero. They are never evicted.
  public var pinned: Int
  /// The part of the capacity that is in use. See ``MemoryStorage/cost``.
  public var cost: Int
  /// The maximum sum of costs. While the storage shrinks, this maximum falls to the new capacity in
  /// steps.
  public var capacity: Int
  /// The number of gets that found a value.
  public var hits: Int
  /// The number of gets that found no value.
  public var misses: Int
  /// The number of evictions: to make room, after deadlines, after memory warnings, and because of
  /// a changed capacity.
  public var evictions: Int
  /// The bytes that the tables take: the keys and values that are stored in place, the hash tables,
  /// and the policy's data. Objects to which keys and values refer don't count.
  public var overhead: Int

  /// The fraction of gets that found a value, from 0 to 1. It's 0 before the first get.
  public var hitRatio: Double {
    hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
  }
}

/// A description of a value in a ``MemoryStorage``.
public struct MemoryEntry<Key: Hashable & Sendable>: Sendable {
  /// The key.
  public let key: Key
  /// The cost of the value: one, its size, or zero if it's pinned.
  public let cost: Int
  /// The policy's estimate of how often the key was looked up recently, from 0 to 16.
  ///
  /// Each insertion of the key counts. But of all hits between two decisions of the policy about the
  /// key, only one counts. So the estimate of a key that is often evicted can exceed that of a key
  /// with many more hits. To rank keys, use ``MemoryStorage/hottest(_:)``.
  public let frequency: Int
  /// The creation time, or `nil` if the values aren't stamped.
  public let storedAt: TimeSource.Instant?
  /// The deadline, or `nil` if the value never expires or isn't stamped.
  public let expiresAt: TimeSource.Instant?

  init(_ entry: ListedEntry<Key>, cost: Int, _ value: Any) {
    let stamp = value as? any HasStamp
    (key, self.cost, frequency) = (entry.key, cost, entry.frequency)
    (storedAt, expiresAt) = (stamp?.storedAt, stamp?.expiresAt)
  }
}

private protocol HasStamp {
  var storedAt: TimeSource.Instant { get }
  var expiresAt: TimeSource.Instant? { get }
}

extension Stamped: HasStamp {}

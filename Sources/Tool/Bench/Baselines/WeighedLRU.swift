/// An exact LRU cache with weighted entries. The bench compares its hit ratio with that of the disk
/// level.
///
/// Unlike the size of the disk level, the total weight of this cache doesn't include the overhead
/// of a file format, or the space of obsolete records.
struct WeighedLRU {
  private let capacity: Int
  private var queue: LinkedQueue
  private var weights: [Int]
  private var sum = 0

  /// - Parameter keys: The number of keys, which are the integers from 0 up to, but not including,
  ///   this number.
  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    queue = LinkedQueue(keys: keys)
    weights = Array(repeating: -1, count: keys)
  }

  /// Whether the key is present. Then it becomes the most recently used key.
  mutating func get(_ key: Int) -> Bool {
    guard weights[key] >= 0 else { return false }
    queue.remove(key)
    queue.append(key)
    return true
  }

  mutating func set(_ key: Int, weight: Int) {
    remove(key)
    (weights[key], sum) = (weight, sum + weight)
    queue.append(key)
    while sum > capacity, queue.count > 1 { remove(queue.oldest) }
  }

  mutating func remove(_ key: Int) {
    guard weights[key] >= 0 else { return }
    queue.remove(key)
    sum -= weights[key]
    weights[key] = -1
  }
}

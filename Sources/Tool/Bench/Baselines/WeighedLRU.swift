/// Least recently used, of entries that have a weight each: what an exact policy would hit.
///
/// Nothing is counted but the entries, neither what a format adds nor what is out of date.
struct WeighedLRU {
  private let capacity: Int
  private var queue: LinkedQueue
  private var weights: [Int]
  private var sum = 0

  /// - Parameter keys: The keys are the numbers below this.
  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    queue = LinkedQueue(keys: keys)
    weights = Array(repeating: -1, count: keys)
  }

  /// Whether it is there; then it is the last to go.
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

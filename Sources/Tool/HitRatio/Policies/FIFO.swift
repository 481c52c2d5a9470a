/// First in, first out: a hit doesn't change the order of evictions.
struct FIFO: ReplacementPolicy {
  private let capacity: Int
  private var queue: LinkedQueue
  private var isHeld: [Bool]

  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    queue = LinkedQueue(keys: keys)
    isHeld = Array(repeating: false, count: keys)
  }

  mutating func access(_ key: Int) -> Bool {
    if isHeld[key] { return true }
    if queue.count == capacity { isHeld[queue.removeOldest()] = false }
    queue.append(key)
    isHeld[key] = true
    return false
  }
}

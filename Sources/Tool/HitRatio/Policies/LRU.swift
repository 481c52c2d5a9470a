/// Least recently used: a hit moves the entry to the end of the queue.
struct LRU: ReplacementPolicy {
  private let capacity: Int
  private let sizes: [Int]
  private var total = 0
  private var queue: LinkedQueue
  private(set) var isHeld: [Bool]

  init(capacity: Int, sizes: [Int]) {
    (self.capacity, self.sizes) = (capacity, sizes)
    queue = LinkedQueue(keys: sizes.count)
    isHeld = Array(repeating: false, count: sizes.count)
  }

  mutating func access(_ key: Int) -> Bool {
    if isHeld[key] {
      queue.remove(key)
      queue.append(key)
      return true
    }
    guard sizes[key] <= capacity else { return false }
    while total + sizes[key] > capacity {
      let victim = queue.removeOldest()
      isHeld[victim] = false
      total -= sizes[victim]
    }
    queue.append(key)
    isHeld[key] = true
    total += sizes[key]
    return false
  }
}

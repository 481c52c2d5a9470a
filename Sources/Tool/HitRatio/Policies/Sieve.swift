/// SIEVE (Zhang et al., NSDI 2024). It resembles CLOCK, but an entry that isn't evicted keeps its
/// position. A *hand* points to the next candidate for eviction, and moves toward the newest entry.
struct Sieve: ReplacementPolicy {
  private let capacity: Int
  private var queue: LinkedQueue
  private var isHeld: [Bool]
  private var isVisited: [Bool]
  private var hand = -1

  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    queue = LinkedQueue(keys: keys)
    isHeld = Array(repeating: false, count: keys)
    isVisited = isHeld
  }

  mutating func access(_ key: Int) -> Bool {
    if isHeld[key] {
      isVisited[key] = true
      return true
    }
    if queue.count == capacity { evict() }
    queue.append(key)
    (isHeld[key], isVisited[key]) = (true, false)
    return false
  }

  private mutating func evict() {
    var key = hand >= 0 ? hand : queue.oldest
    while isVisited[key] {
      isVisited[key] = false
      let next = queue.next(after: key)
      key = next >= 0 ? next : queue.oldest
    }
    hand = queue.next(after: key)
    queue.remove(key)
    isHeld[key] = false
  }
}

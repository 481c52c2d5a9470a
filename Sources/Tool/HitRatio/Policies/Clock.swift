/// CLOCK: a hit sets the entry's bit. Instead of evicting an entry whose bit is set, the policy
/// clears the bit and moves the entry to the end of the queue.
struct Clock: ReplacementPolicy {
  private let capacity: Int
  private var queue: LinkedQueue
  private var isHeld: [Bool]
  private var isVisited: [Bool]

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
    while true {
      let key = queue.removeOldest()
      guard isVisited[key] else {
        isHeld[key] = false
        return
      }
      isVisited[key] = false
      queue.append(key)
    }
  }
}

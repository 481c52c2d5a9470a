/// S3-FIFO (Yang et al., SOSP 2023). It has a small queue for new keys, a main queue for keys that
/// were requested again, and a ghost queue of keys that the small queue has evicted.
struct S3FIFO: ReplacementPolicy {
  private enum Location { case nowhere, small, main, ghost }

  private let capacity: Int
  private let smallCapacity: Int
  private let ghostCapacity: Int
  private var small: LinkedQueue
  private var main: LinkedQueue
  private var ghost: LinkedQueue
  private var locations: [Location]
  private var isFull = false
  private var visits: [Int8]  // The number of hits since insertion, at most three.

  /// Creates a cache. The small queue has a tenth of the capacity. The ghost queue holds as many
  /// keys as the main queue.
  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    smallCapacity = max(1, capacity / 10)
    ghostCapacity = capacity - smallCapacity
    small = LinkedQueue(keys: keys)
    (main, ghost) = (small, small)
    locations = Array(repeating: .nowhere, count: keys)
    visits = Array(repeating: 0, count: keys)
  }

  mutating func access(_ key: Int) -> Bool {
    let index = locations[key]
    if index == .small || index == .main {
      visits[key] = min(3, visits[key] + 1)
      return true
    }
    if index == .ghost { ghost.remove(key) }
    while small.count + main.count >= capacity { evict() }
    visits[key] = 0
    // While the cache isn't full, new keys go to the main queue once the small queue is full.
    if index == .ghost || (!isFull && small.count >= smallCapacity) {
      main.append(key)
      locations[key] = .main
    } else {
      small.append(key)
      locations[key] = .small
    }
    return false
  }

  private mutating func evict() {
    isFull = true
    if main.count > capacity - smallCapacity || small.count == 0 {
      evictMain()
    } else {
      evictSmall()
    }
  }

  private mutating func evictSmall() {
    while small.count > 0 {
      let key = small.removeOldest()
      if visits[key] > 1 {
        visits[key] = 0
        main.append(key)
        locations[key] = .main
      } else {
        bury(key)
        return
      }
    }
  }

  private mutating func evictMain() {
    while main.count > 0 {
      let key = main.removeOldest()
      guard visits[key] > 0 else {
        locations[key] = .nowhere
        return
      }
      visits[key] -= 1
      main.append(key)
    }
  }

  private mutating func bury(_ key: Int) {
    guard ghostCapacity > 0 else { return locations[key] = .nowhere }
    if ghost.count == ghostCapacity { locations[ghost.removeOldest()] = .nowhere }
    ghost.append(key)
    locations[key] = .ghost
  }
}

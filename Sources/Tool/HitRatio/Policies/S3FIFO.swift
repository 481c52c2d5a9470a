/// S3-FIFO (Yang et al., SOSP 2023). New keys are in a small queue, and keys that were requested
/// again are in a main queue. After an eviction from the small queue, a ghost queue remembers the
/// key.
struct S3FIFO: ReplacementPolicy {
  private enum Location { case nowhere, small, main, ghost }

  private let capacity: Int
  private let sizes: [Int]
  private let smallCapacity: Int
  private let ghostCapacity: Int
  /// The total size of the keys in each queue.
  private var totals = (small: 0, main: 0, ghost: 0)
  private var small: LinkedQueue
  private var main: LinkedQueue
  private var ghost: LinkedQueue
  private var locations: [Location]
  private var isFull = false
  private var visits: [Int8]  // The number of recent hits of each key, at most three.

  /// A tenth of the capacity belongs to the small queue. In the ghost queue, there is room for as
  /// many keys as in the main queue.
  init(capacity: Int, sizes: [Int]) {
    (self.capacity, self.sizes) = (capacity, sizes)
    smallCapacity = max(1, capacity / 10)
    ghostCapacity = capacity - smallCapacity
    small = LinkedQueue(keys: sizes.count)
    (main, ghost) = (small, small)
    locations = Array(repeating: .nowhere, count: sizes.count)
    visits = Array(repeating: 0, count: sizes.count)
  }

  mutating func access(_ key: Int) -> Bool {
    let index = locations[key]
    if index == .small || index == .main {
      visits[key] = min(3, visits[key] + 1)
      return true
    }
    guard sizes[key] <= capacity else { return false }
    if index == .ghost {
      ghost.remove(key)
      totals.ghost -= sizes[key]
      locations[key] = .nowhere
    }
    while totals.small + totals.main + sizes[key] > capacity { evict() }
    visits[key] = 0
    // Before the first eviction, a new key enters the main queue if the small queue has reached its
    // capacity.
    if index == .ghost || (!isFull && totals.small >= smallCapacity) {
      enterMain(key)
    } else {
      small.append(key)
      totals.small += sizes[key]
      locations[key] = .small
    }
    return false
  }

  private mutating func enterMain(_ key: Int) {
    main.append(key)
    totals.main += sizes[key]
    locations[key] = .main
  }

  private mutating func evict() {
    isFull = true
    if totals.main > capacity - smallCapacity || small.count == 0 {
      evictMain()
    } else {
      evictSmall()
    }
  }

  private mutating func evictSmall() {
    while small.count > 0 {
      let key = small.removeOldest()
      totals.small -= sizes[key]
      guard visits[key] > 1 else { return bury(key) }
      visits[key] = 0
      enterMain(key)
    }
  }

  private mutating func evictMain() {
    while main.count > 0 {
      let key = main.removeOldest()
      guard visits[key] > 0 else {
        totals.main -= sizes[key]
        locations[key] = .nowhere
        return
      }
      visits[key] -= 1
      main.append(key)
    }
  }

  private mutating func bury(_ key: Int) {
    guard sizes[key] <= ghostCapacity else { return locations[key] = .nowhere }
    while totals.ghost + sizes[key] > ghostCapacity {
      let oldest = ghost.removeOldest()
      totals.ghost -= sizes[oldest]
      locations[oldest] = .nowhere
    }
    ghost.append(key)
    totals.ghost += sizes[key]
    locations[key] = .ghost
  }
}

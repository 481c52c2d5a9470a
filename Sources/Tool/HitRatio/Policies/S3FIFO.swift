/// S3-FIFO (Yang and others, SOSP 2023): a small queue for what is new, a main one for what was
/// asked for again, and a ghost of those that left the small one.
struct S3FIFO: ReplacementPolicy {
  private enum Place { case nowhere, small, main, ghost }

  private let capacity: Int
  private let smallCapacity: Int
  private let ghostCapacity: Int
  private var small: LinkedQueue
  private var main: LinkedQueue
  private var ghost: LinkedQueue
  private var places: [Place]
  private var isFull = false
  private var visits: [Int8]  // Since it came in, three at most.

  /// A tenth is the small queue, and the ghost remembers as many keys as the main queue holds.
  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    smallCapacity = max(1, capacity / 10)
    ghostCapacity = capacity - smallCapacity
    small = LinkedQueue(keys: keys)
    (main, ghost) = (small, small)
    places = Array(repeating: .nowhere, count: keys)
    visits = Array(repeating: 0, count: keys)
  }

  mutating func access(_ key: Int) -> Bool {
    let place = places[key]
    if place == .small || place == .main {
      visits[key] = min(3, visits[key] + 1)
      return true
    }
    if place == .ghost { ghost.remove(key) }
    while small.count + main.count >= capacity { evict() }
    visits[key] = 0
    // What comes while there is still room may stay for long.
    if place == .ghost || (!isFull && small.count >= smallCapacity) {
      main.append(key)
      places[key] = .main
    } else {
      small.append(key)
      places[key] = .small
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
        places[key] = .main
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
        places[key] = .nowhere
        return
      }
      visits[key] -= 1
      main.append(key)
    }
  }

  private mutating func bury(_ key: Int) {
    guard ghostCapacity > 0 else { return places[key] = .nowhere }
    if ghost.count == ghostCapacity { places[ghost.removeOldest()] = .nowhere }
    ghost.append(key)
    places[key] = .ghost
  }
}

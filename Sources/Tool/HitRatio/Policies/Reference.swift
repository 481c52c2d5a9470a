/// The reference implementation of the memory level's policy, written for clarity rather than
/// speed.
///
/// New keys enter the window queue. From there, a key enters the main queue only if its frequency
/// exceeds that of the main queue's oldest key by at least 2. Hits only set a mark, and a miss for
/// a recently evicted key changes the target sizes of the queues.
///
/// The memory level differs from this implementation in four ways. It limits the number of entries
/// that one scan of a queue visits, and records evicted keys only approximately. A recently evicted
/// key enters its main queue directly only if the key's frequency exceeds that of the oldest key by
/// a margin. Otherwise, keys that are requested in a loop would evict each other. And when the
/// window takes up almost the whole cache, visited keys in the window get a second chance.
struct Reference: ReplacementPolicy {
  private enum Location { case nowhere, window, main }

  private let capacity: Int
  private var window: LinkedQueue
  private var main: LinkedQueue
  private var ghosts: LinkedQueue
  private var locations: [Location]
  private var isVisited: [Bool]
  /// For each ghost (a recently evicted key), the queue that evicted the key, and the number of
  /// earlier evictions from that queue.
  private var burials: [(wasMain: Bool, stamp: Int)?]
  private var evictions = (window: 0, main: 0)
  private var sketch: FrequencySketch
  private let bounds: ClosedRange<Double>
  private var target: Double  // The desired size of the window.
  private var isFull = false

  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    window = LinkedQueue(keys: keys)
    (main, ghosts) = (window, window)
    locations = Array(repeating: .nowhere, count: keys)
    isVisited = Array(repeating: false, count: keys)
    burials = Array(repeating: nil, count: keys)
    sketch = FrequencySketch(capacity: capacity, halvedAfter: 20)
    target = max(1, 0.01 * Double(capacity))
    bounds = target...max(target, 0.95 * Double(capacity))
  }

  mutating func access(_ key: Int) -> Bool {
    guard locations[key] == .nowhere else {
      isVisited[key] = true
      return true
    }
    sketch.add(key)
    let isGhost = exhume(key)
    while window.count + main.count >= capacity { evict() }
    let isMain =
      if isGhost, main.count > 0 {
        sketch.count(of: key) > weight(of: main.oldest)
      } else {
        isGhost || (!isFull && Double(window.count) >= target)
      }
    append(key, to: isMain ? .main : .window)
    return false
  }

  /// Removes the ghost of a key, and changes the window's target size if the key was evicted
  /// recently. Returns whether the key had a ghost.
  private mutating func exhume(_ key: Int) -> Bool {
    guard let ghost = burials[key] else { return false }
    ghosts.remove(key)
    burials[key] = nil
    let since = (ghost.wasMain ? evictions.main : evictions.window) - ghost.stamp
    if Double(since) <= max(1, 0.05 * Double(capacity)) {
      let moved = target + (ghost.wasMain ? -1 : 1)
      target = min(max(moved, bounds.lowerBound), bounds.upperBound)
    }
    return true
  }

  private mutating func evict() {
    isFull = true
    guard Double(window.count) >= target || main.count == 0 else {
      while spareOldest() {}
      return bury(main.removeOldest())
    }
    let challenger = window.removeOldest()
    let strength = weight(of: challenger)
    if isVisited[challenger] { sketch.add(challenger) }
    var chances = 5
    while chances > 0, spareOldest() { chances -= 1 }
    if main.count > 0, strength > weight(of: main.oldest) + 1 {
      bury(main.removeOldest())
      append(challenger, to: .main)
    } else {
      bury(challenger)
    }
  }

  /// If the main queue's oldest key was hit, moves that key to the end of the queue. Returns
  /// whether the function moved a key.
  private mutating func spareOldest() -> Bool {
    guard main.count > 0, isVisited[main.oldest] else { return false }
    let key = main.removeOldest()
    sketch.add(key)
    append(key, to: .main)
    return true
  }

  private mutating func append(_ key: Int, to location: Location) {
    if location == .main { main.append(key) } else { window.append(key) }
    locations[key] = location
    isVisited[key] = false
  }

  private mutating func bury(_ key: Int) {
    let wasMain = locations[key] == .main
    locations[key] = .nowhere
    burials[key] = (wasMain, wasMain ? evictions.main : evictions.window)
    if wasMain { evictions.main += 1 } else { evictions.window += 1 }
    ghosts.append(key)
    if ghosts.count > capacity { burials[ghosts.removeOldest()] = nil }
  }

  private func weight(of key: Int) -> Int { sketch.count(of: key) + (isVisited[key] ? 1 : 0) }
}

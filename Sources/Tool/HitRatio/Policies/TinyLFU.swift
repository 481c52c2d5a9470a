/// W-TinyLFU (Einziger et al., 2017) with a hill climber (Einziger et al., 2018). For keys of
/// different sizes, the admission follows "Lightweight Robust Size Aware Cache Management"
/// (Einziger, Eytan, Friedman and Manes, ACM Transactions on Storage, 2022).
///
/// New keys enter an LRU window. From there, a key moves on to the probation queue. When the cache
/// is then too full, the policy evicts either this key or enough of the oldest probation keys. It
/// evicts the probation keys only if their total frequency is lower than the frequency of this key.
/// Hits move a key from the probation queue to the protected queue.
///
/// The hill climber is an optimization method, which changes the size of the window in steps. After
/// a step that lowered the hit ratio, the next step goes in the opposite direction.
struct TinyLFU: ReplacementPolicy {
  private enum Location: Int { case nowhere, window, probation, protected }

  private let capacity: Int
  private let sizes: [Int]
  /// The estimated number of keys that fit into the cache.
  private let entries: Int
  /// The queue for each location, and the total size of the keys in each queue. At index 0, the
  /// queue always stays empty, because its location, `nowhere`, marks keys that aren't cached.
  private var queues: [LinkedQueue]
  private var totals = [0, 0, 0, 0]
  private var locations: [Location]
  private var sketch: FrequencySketch
  private var windowSize: Double
  private var step: Double
  private var (hits, requests) = (0, 0)
  private var lastRatio = 0.0

  init(capacity: Int, sizes: [Int]) {
    (self.capacity, self.sizes) = (capacity, sizes)
    let mean = Double(sizes.reduce(0, +)) / Double(max(1, sizes.count))
    entries = max(1, Int(Double(capacity) / max(1, mean)))
    queues = Array(repeating: LinkedQueue(keys: sizes.count), count: 4)
    locations = Array(repeating: .nowhere, count: sizes.count)
    sketch = FrequencySketch(capacity: entries, halvedAfter: 10)
    windowSize = max(1, 0.01 * Double(capacity))
    step = -0.0625 * Double(capacity)
  }

  mutating func access(_ key: Int) -> Bool {
    sketch.add(key)
    let location = locations[key]
    climb(afterHit: location != .nowhere)
    guard sizes[key] <= capacity else { return false }
    move(key, to: location == .nowhere || location == .window ? .window : .protected)
    demote()
    while total > capacity { evict() }
    return location != .nowhere
  }

  private var total: Int { totals.reduce(0, +) }

  private func queue(_ location: Location) -> LinkedQueue { queues[location.rawValue] }

  private mutating func move(_ key: Int, to location: Location) {
    let old = locations[key].rawValue
    if old != 0 {
      queues[old].remove(key)
      totals[old] -= sizes[key]
    }
    if location != .nowhere {
      queues[location.rawValue].append(key)
      totals[location.rawValue] += sizes[key]
    }
    locations[key] = location
  }

  /// Moves keys to the probation queue while the window or the protected queue is too large.
  private mutating func demote() {
    while totals[Location.window.rawValue] > max(1, Int(windowSize)) {
      let candidate = queue(.window).oldest
      move(candidate, to: .probation)
      if total > capacity { compete(candidate) }
    }
    let most = Int(0.8 * (Double(capacity) - windowSize))
    while totals[Location.protected.rawValue] > most {
      move(queue(.protected).oldest, to: .probation)
    }
  }

  /// Evicts either the candidate, or enough keys in the probation queue to make room for the
  /// candidate.
  private mutating func compete(_ candidate: Int) {
    var (victims, space, frequencies) = ([Int](), 0, 0)
    let strength = sketch.count(of: candidate)
    var victim = queue(.probation).oldest
    while space < min(sizes[candidate], total - capacity), frequencies < strength {
      guard victim >= 0, victim != candidate else { break }
      victims.append(victim)
      space += sizes[victim]
      frequencies += sketch.count(of: victim)
      victim = queue(.probation).next(after: victim)
    }
    let isAdmitted =
      strength > frequencies && space >= min(sizes[candidate], total - capacity)
    for key in isAdmitted ? victims : [candidate] { move(key, to: .nowhere) }
  }

  /// Evicts the less frequently used of two keys: the newest and the oldest in the probation queue.
  /// When the probation queue is empty, evicts the oldest key of another queue.
  private mutating func evict() {
    guard queue(.probation).count > 0 else {
      return move(queue(queue(.protected).count > 0 ? .protected : .window).oldest, to: .nowhere)
    }
    let (victim, candidate) = (queue(.probation).oldest, queue(.probation).newest)
    let isAdmitted = sketch.count(of: candidate) > sketch.count(of: victim)
    move(isAdmitted ? victim : candidate, to: .nowhere)
  }

  private mutating func climb(afterHit isHit: Bool) {
    requests += 1
    if isHit { hits += 1 }
    guard requests == 10 * entries else { return }
    let ratio = Double(hits) / Double(requests)
    let change = ratio - lastRatio
    if change < 0 { step = -step }
    let most = max(1, 0.8 * Double(capacity))
    windowSize = min(max(windowSize + step, 1), most)
    let large = 0.0625 * Double(capacity)
    step = abs(change) >= 0.05 ? (step < 0 ? -large : large) : 0.98 * step
    // At a bound, the hill climber reverses direction, because another step in the same direction
    // would have no effect.
    if windowSize == 1 { step = abs(step) } else if windowSize == most { step = -abs(step) }
    (hits, requests, lastRatio) = (0, 0, ratio)
  }
}

/// W-TinyLFU (Einziger et al., 2017) with a hill climber (Einziger et al., 2018).
///
/// New keys enter an LRU window. When a key leaves the window, its frequency is compared with the
/// frequency of the oldest key on probation. A hit moves a key from probation to the protected
/// queue. The hill climber changes the window's size in one direction as long as the hit ratio
/// rises, and then in the other direction.
struct TinyLFU: ReplacementPolicy {
  private enum Location: Int { case nowhere, window, probation, protected }

  private let capacity: Int
  /// The queues by location. The queue for `nowhere` stays empty.
  private var queues: [LinkedQueue]
  private var locations: [Location]
  private var sketch: FrequencySketch
  private var windowSize: Double
  private var step: Double
  private var (hits, requests) = (0, 0)
  private var lastRatio = 0.0

  init(capacity: Int, keys: Int) {
    self.capacity = capacity
    queues = Array(repeating: LinkedQueue(keys: keys), count: 4)
    locations = Array(repeating: .nowhere, count: keys)
    sketch = FrequencySketch(capacity: capacity, halvedAfter: 10)
    windowSize = max(1, 0.01 * Double(capacity))
    step = -0.0625 * Double(capacity)
  }

  mutating func access(_ key: Int) -> Bool {
    sketch.add(key)
    let location = locations[key]
    climb(afterHit: location != .nowhere)
    switch location {
    case .nowhere: move(key, to: .window)
    case .window: move(key, to: .window)
    case .probation, .protected: move(key, to: .protected)
    }
    demote()
    if location == .nowhere, count > capacity { evict() }
    return location != .nowhere
  }

  private var count: Int { queues.reduce(0) { $0 + $1.count } }

  private func oldest(in location: Location) -> Int { queues[location.rawValue].oldest }

  private func count(in location: Location) -> Int { queues[location.rawValue].count }

  private mutating func move(_ key: Int, to location: Location) {
    if locations[key] != .nowhere { queues[locations[key].rawValue].remove(key) }
    if location != .nowhere { queues[location.rawValue].append(key) }
    locations[key] = location
  }

  /// Moves keys to probation while the window or the protected queue is too large.
  private mutating func demote() {
    while count(in: .window) > max(1, Int(windowSize)) {
      move(oldest(in: .window), to: .probation)
    }
    let most = Int(0.8 * (Double(capacity) - windowSize))
    while count(in: .protected) > most { move(oldest(in: .protected), to: .probation) }
  }

  /// Evicts the newest or the oldest key on probation, or the oldest key of another queue.
  private mutating func evict() {
    guard count(in: .probation) > 0 else {
      return move(oldest(in: count(in: .protected) > 0 ? .protected : .window), to: .nowhere)
    }
    let victim = oldest(in: .probation)
    let candidate = queues[Location.probation.rawValue].newest
    let isAdmitted = sketch.count(of: candidate) > sketch.count(of: victim)
    move(isAdmitted ? victim : candidate, to: .nowhere)
  }

  private mutating func climb(afterHit isHit: Bool) {
    requests += 1
    if isHit { hits += 1 }
    guard requests == 10 * capacity else { return }
    let ratio = Double(hits) / Double(requests)
    let change = ratio - lastRatio
    if change < 0 { step = -step }
    let most = max(1, 0.8 * Double(capacity))
    windowSize = min(max(windowSize + step, 1), most)
    let large = 0.0625 * Double(capacity)
    step = abs(change) >= 0.05 ? (step < 0 ? -large : large) : 0.98 * step
    // At a bound, the climber changes direction, because it can't change the window's size any
    // further.
    if windowSize == 1 { step = abs(step) } else if windowSize == most { step = -abs(step) }
    (hits, requests, lastRatio) = (0, 0, ratio)
  }
}

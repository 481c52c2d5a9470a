/// The eviction policy of a memory level: adaptive two-FIFO TinyLFU.
///
/// New entries enter the *window* queue. An entry that leaves the window competes with the oldest
/// entry of the *main* queue by frequency. A hit only sets the entry's visited bit, and a visited
/// entry of main gets a second chance. A window of almost the whole cache gives second chances too,
/// so the cache then resembles an LRU. The policy remembers evicted entries for a while as ghosts.
/// A ghost that returns soon moves the border between the two queues.
///
/// The policy refers to entries by node ID. The lock of the policy's owner guards it. Every scan is
/// bounded, so the cost of an insertion doesn't grow with the number of entries.
@usableFromInline
struct A2F {
  // These fields come first, because an insertion writes all of them. If they were on two cache
  // lines, an insertion would take 8 ns longer.
  @usableFromInline var total = 0  // The sum of costs.
  @usableFromInline var count = 0
  @usableFromInline var nodes: MemoryNodes
  @usableFromInline let capacity: Int
  let isWeighted: Bool
  private let maximumCount: Int
  var window = NodeQueue()
  var main = NodeQueue()
  var ghosts: Ghosts?  // `nil` until the first eviction.
  var ghostLimit = 0  // The number of entries for which the ghost table suffices.
  var sketch: Sketch
  var target = 1.0  // The target size of the window.
  var evictions = (window: 0, main: 0)

  init(capacity: Int, isWeighted: Bool, stride: Int, alignment: Int) {
    let nodes = MemoryNodes(
      stride: stride, alignment: alignment, limit: min(capacity, A2F.countLimit))
    self.init(capacity: capacity, isWeighted: isWeighted, nodes: nodes)
  }

  init(capacity: Int, isWeighted: Bool, nodes: MemoryNodes) {
    self.capacity = capacity
    self.isWeighted = isWeighted
    self.nodes = nodes
    maximumCount = min(capacity, A2F.countLimit)
    // The sketch grows with the cache.
    sketch = Sketch(entries: isWeighted ? 0 : min(capacity, 1 << 20))
    target = bounded(1)
  }

  @usableFromInline static var countLimit: Int { 1 << 31 }

  func deallocate() {
    ghosts?.deallocate()
    sketch.deallocate()
  }

  /// The capacity in entries. For a weighted cache, the current number of entries.
  @inline(__always) var scale: Int { isWeighted ? count : maximumCount }

  @inline(__always)
  func isWide(_ target: Double) -> Bool { Double(window.count) >= target }

  /// Whether near misses have widened the window to almost the whole cache, because recency predicts
  /// the next lookup better than frequency does.
  @inline(__always)
  var prefersRecent: Bool { target >= 0.9 * Double(scale) }

  @inline(__always)
  private var bounds: ClosedRange<Double> {
    let least = max(1, 0.01 * Double(scale))
    return least...max(least, 0.95 * Double(scale))
  }

  @inline(__always)
  var boundedTarget: Double {
    guard isWeighted else { return target }  // The bounds are constant here.
    return bounded(target)
  }

  @inline(__always)
  private func bounded(_ target: Double) -> Double {
    let bounds = bounds
    return min(max(target, bounds.lowerBound), bounds.upperBound)
  }
}

extension A2F /* : insertion */ {
  /// A key before its insertion, with its history.
  @usableFromInline
  struct Candidate {
    let hash: UInt64
    let frequency: FrequencyEstimate
    let isGhost: Bool
  }

  /// Whether there is room for a new entry, or for a higher cost of an existing entry. There is no
  /// room if the system refuses the memory.
  @inlinable
  @inline(__always)
  mutating func hasRoom(for cost: Int, isNew: Bool) -> Bool {
    cost <= capacity &- total && (!isNew || count < A2F.countLimit && nodes.reserve())
  }

  /// Whether a new entry can be inserted after evictions. The caller doesn't hold the shard lock.
  @usableFromInline
  mutating func mayInsert(into shard: Shard) -> Bool {
    acquire(&shard.pointee.mutex)
    defer { release(&shard.pointee.mutex) }
    return shard.pointee.reserve() && (count > 0 || nodes.reserve())
  }

  /// Counts a missing key before its insertion. Called once for each insertion, before the
  /// evictions that make room for it.
  @usableFromInline
  mutating func recordMiss(_ hash: UInt64) -> Candidate { recordMissInlined(hash) }

  @inline(__always)
  mutating func recordMissInlined(_ hash: UInt64) -> Candidate {
    sketch.grow(entries: count)
    let frequency = sketch.add(hash, entries: scale)
    guard let ghost = ghosts?.remove(hash, evictions: evictions) else {
      return Candidate(hash: hash, frequency: frequency, isGhost: false)
    }
    // A near miss means that the entry's queue was too small.
    if Double(ghost.evictionsSince) <= max(1, 0.035 * Double(scale)) {
      target = bounded(bounded(target) + (ghost.wasMain ? -1 : 1))
    }
    return Candidate(hash: hash, frequency: frequency, isGhost: true)
  }

  /// Inserts an entry that fits. The caller then stores the key and value.
  @usableFromInline
  mutating func insert(_ candidate: Candidate, cost: Int) -> UInt32 {
    let id = nodes.allocate()
    link(id, candidate, cost: cost)
    return id
  }

  /// Initializes a node and appends it to a queue.
  @inline(__always)
  mutating func link(_ id: UInt32, _ candidate: Candidate, cost: Int) {
    let isMain = startsInMain(candidate, cost: cost)
    let node = nodes[id]
    node.pointee.hash = candidate.hash
    node.pointee.cost = cost
    node.pointee.isVisited.store(false, ordering: .relaxed)
    node.pointee.frequency = candidate.frequency
    append(id, toMain: isMain)
    total &+= cost
    count &+= 1
  }

  /// Whether a new entry enters main directly. A ghost enters main if it was read more often than
  /// the oldest entry of main. Any other entry enters main while the window has reached its target
  /// and there is much room.
  @inline(__always)
  private mutating func startsInMain(_ candidate: Candidate, cost: Int) -> Bool {
    if candidate.isGhost {
      guard let rival = main.first else { return true }
      // In a loop, all keys soon have the same counts. Without a margin, they evict each other.
      let count = candidate.frequency.count(at: sketch.epoch)
      return count &- (count >= 4 ? 1 : 0) > weight(of: rival)
    }
    let slack = ghosts == nil ? 0 : capacity / 8
    return isWide(boundedTarget) && cost <= capacity - total - slack
  }

  @inline(__always)
  mutating func append(_ id: UInt32, toMain isMain: Bool) {
    nodes[id].pointee.isMain = isMain
    if isMain { main.append(id, in: nodes) } else { window.append(id, in: nodes) }
  }

  @inline(__always)
  func weight(of id: UInt32) -> Int {
    let node = nodes[id]
    return node.pointee.frequency.count(at: sketch.epoch)
      &+ (node.pointee.isVisited.load(ordering: .relaxed) ? 1 : 0)
  }
}

/// The eviction policy of a memory level: adaptive two-FIFO TinyLFU.
///
/// A new entry usually enters the *window* queue. At the end of this queue, the policy compares it
/// with the oldest entry of the *main* queue. Usually, it evicts the less frequently used one. Hits
/// only set the entry's visited bit, which gives the entry a second chance before an eviction from
/// the main queue. A visited entry that loses the comparison gets a second chance in the window. So
/// with a window of almost the whole cache, the policy resembles LRU.
///
/// The policy remembers evicted entries for a while as ghosts. When a key is inserted again soon
/// after its eviction, the policy enlarges the queue that evicted the key, and shrinks the other
/// one. See `WindowSteps`. When many keys return only after a while, the window can expand as well.
/// See `LookAhead`.
///
/// If entries have costs, and the object hit ratio is the goal, the policy compares frequencies per
/// cost instead of frequencies. See `A2F+Density`.
///
/// The policy refers to entries by their node IDs. Its data is guarded by the memory store's policy
/// lock. Every scan of a queue visits a bounded number of entries, so the time of an insertion
/// doesn't grow with the number of entries.
@usableFromInline
package struct A2F {
  // These fields come first, so that an insertion writes to as few cache lines as possible. If they
  // were on two cache lines, an insertion would take 8 ns longer.
  @usableFromInline var total = 0  // The sum of the costs of all entries.
  @usableFromInline var count = 0  // The number of entries that can be evicted.
  @usableFromInline var nodes: MemoryNodes
  @usableFromInline var capacity: Int
  let isWeighted: Bool
  let ranksByDensity: Bool  // Whether the policy compares frequencies per cost.
  private var maximumCount: Int
  /// The capacity that the last change requested. While the level shrinks, `capacity` is larger.
  var wanted: Int
  /// The number of pinned entries, which are never evicted, and the maximum of this number.
  var pinned = 0
  var pinLimit = 0
  /// The number of evictions that `evictions` doesn't count.
  var otherEvictions = 0
  var window = NodeQueue()
  var main = NodeQueue()
  var ghosts: Ghosts?  // `nil` until the first eviction.
  var ghostLimit = 0  // More entries than this need a new ghost table.
  var sketch: Sketch
  var target = 1.0  // The target number of entries in the window.
  var evictions = (window: 0, main: 0)
  var lookAhead = LookAhead()
  var steps = WindowSteps()
  /// The main queue's entry that the last search for a low density chose. See `A2F+Density`.
  var sparsest: UInt32 = .max

  init(
    capacity: Int, isWeighted: Bool, favoring goal: HitRatioGoal = .objects, stride: Int,
    alignment: Int, isAdjustable: Bool = false
  ) {
    let nodes = MemoryNodes(
      stride: stride, alignment: alignment,
      limit: isAdjustable ? A2F.countLimit : min(capacity, A2F.countLimit))
    self.init(
      capacity: capacity, isWeighted: isWeighted, ranksByDensity: isWeighted && goal == .objects,
      nodes: nodes)
  }

  init(capacity: Int, isWeighted: Bool, ranksByDensity: Bool, nodes: MemoryNodes) {
    (self.capacity, wanted) = (capacity, capacity)
    self.isWeighted = isWeighted
    self.ranksByDensity = ranksByDensity
    self.nodes = nodes
    maximumCount = min(capacity, A2F.countLimit)
    // The sketch grows later if it's too small for the cache.
    sketch = Sketch(entries: isWeighted ? 0 : min(capacity, 1 << 20))
    target = bounded(1)
  }

  @usableFromInline static var countLimit: Int { 1 << 31 }

  /// Sets the capacity to the wanted one. If the total cost is still higher, sets the capacity to
  /// this cost instead.
  mutating func adjustCapacity() {
    let old = scale
    capacity = max(wanted, min(capacity, total))
    maximumCount = min(capacity, A2F.countLimit)
    if scale != old, let first = lookAhead.restart() { target = first }
    target = bounded(target)
  }

  func deallocate() {
    ghosts?.deallocate()
    sketch.deallocate()
  }

  /// The capacity in entries or, for a weighted cache, the current number of entries.
  @inline(__always) var scale: Int { isWeighted ? count : maximumCount }

  @inline(__always)
  func isWide(_ target: Double) -> Bool { Double(window.count) >= target }

  @inline(__always)
  var bounds: ClosedRange<Double> {
    let least = max(1, 0.01 * Double(scale))
    return least...max(least, 0.95 * Double(scale))
  }

  @inline(__always)
  var boundedTarget: Double {
    // Without weights, the bounds are constant, so `target` is already within them.
    guard isWeighted else { return target }
    return bounded(target)
  }

  @inline(__always)
  func bounded(_ target: Double) -> Double {
    let bounds = bounds
    return min(max(target, bounds.lowerBound), bounds.upperBound)
  }
}

extension A2F /* : insertion */ {
  @usableFromInline typealias Node = UnsafeMutablePointer<MemoryNode>

  /// The hash and lookup frequency of a key that will be inserted, and whether the key had a ghost.
  @usableFromInline
  struct Candidate {
    let hash: UInt64
    let frequency: FrequencyEstimate
    let isGhost: Bool
  }

  /// Returns whether there is room for a new entry, or for the additional cost of an existing
  /// entry. Also returns `false` if memory can't be allocated.
  @inlinable
  @inline(__always)
  mutating func hasRoom(for cost: Int, isNew: Bool) -> Bool {
    cost <= capacity &- total && (!isNew || count < A2F.countLimit && nodes.reserve())
  }

  /// Returns whether a new entry can be inserted after evictions have made room. Callers must not
  /// hold the shard lock.
  @usableFromInline
  mutating func mayInsert(into shard: Shard) -> Bool {
    acquire(&shard.pointee.mutex)
    defer { release(&shard.pointee.mutex) }
    return shard.pointee.reserve() && (count > 0 || nodes.reserve())
  }

  /// Records a miss of a key that will be inserted. The caller calls this function once for each
  /// insertion, before the evictions that make room.
  @usableFromInline
  mutating func recordMiss(_ hash: UInt64, cost: Int) -> Candidate {
    recordMissInlined(hash, cost: cost)
  }

  @inline(__always)
  mutating func recordMissInlined(_ hash: UInt64, cost: Int) -> Candidate {
    sketch.grow(entries: count)
    let frequency = sketch.add(hash, entries: scale)
    let ghost = ghosts?.remove(hash, evictions: evictions)
    if let ghost { adapt(to: ghost, cost: cost) }
    lookAheadIfDue()
    return Candidate(hash: hash, frequency: frequency, isGhost: ghost != nil)
  }

  /// Inserts an entry for which there is room. Then the caller stores the key and value.
  @usableFromInline
  mutating func insert(_ candidate: Candidate, cost: Int) -> UInt32 {
    let id = nodes.allocate()
    link(id, nodes[id], candidate, cost: cost)
    return id
  }

  /// Initializes a node and appends it to a queue.
  @inline(__always)
  mutating func link(_ id: UInt32, _ node: Node, _ candidate: Candidate, cost: Int) {
    let isMain = startsInMain(candidate, cost: cost)
    node.pointee.hash = candidate.hash
    node.pointee.cost = cost
    node.pointee.isVisited.store(false, ordering: .relaxed)
    node.pointee.frequency = candidate.frequency
    append(id, node, toMain: isMain)
    total &+= cost
    count &+= 1
  }

  /// Inserts an entry that is never evicted.
  @usableFromInline
  mutating func insertPinned(_ hash: UInt64) -> UInt32 {
    let id = initialize(hash, cost: 0)
    pinned += 1
    return id
  }

  /// Inserts an entry from an earlier run as the oldest one of the main queue. This doesn't change
  /// the counts and the ghosts, because they describe the present traffic.
  mutating func insertRestored(_ hash: UInt64, cost: Int) -> UInt32 {
    let id = initialize(hash, cost: cost)
    nodes[id].pointee.isMain = true
    main.prepend(id, in: nodes)
    total += cost
    count += 1
    return id
  }

  private mutating func initialize(_ hash: UInt64, cost: Int) -> UInt32 {
    let id = nodes.allocate()
    let node = nodes[id]
    (node.pointee.hash, node.pointee.cost) = (hash, cost)
    node.pointee.isVisited.store(false, ordering: .relaxed)
    node.pointee.isMain = false
    node.pointee.frequency = FrequencyEstimate(1, sketch.epoch)
    return id
  }

  /// Whether one more entry may be pinned.
  @usableFromInline var mayPin: Bool { pinned < pinLimit }

  /// Whether a new entry enters the main queue directly.
  ///
  /// A recently evicted key, which has a ghost, must be more valuable than the main queue's oldest
  /// entry. Without a ghost, a key enters the main queue directly if the window queue has its
  /// target size, and the cache has enough space. Enough is the entry's cost and, if `ghosts` isn't
  /// `nil`, an eighth of the capacity.
  @inline(__always)
  private mutating func startsInMain(_ candidate: Candidate, cost: Int) -> Bool {
    if candidate.isGhost {
      guard let rival = main.first.map({ nodes[$0] }) else { return true }
      if ranksByDensity {
        return density(candidate.frequency.count(at: sketch.epoch), cost) > density(of: rival)
      }
      // When a program looks up the same keys in a loop, the counts of these keys soon become
      // equal. Without a margin, they would evict each other.
      let count = candidate.frequency.count(at: sketch.epoch)
      return count &- (count >= 4 ? 1 : 0) > weight(of: rival)
    }
    let slack = ghosts == nil ? 0 : capacity / 8
    return isWide(boundedTarget) && cost <= capacity - total - slack
  }

  @inline(__always)
  mutating func append(_ id: UInt32, _ node: Node, toMain isMain: Bool) {
    node.pointee.isMain = isMain
    if isMain { main.append(id, node, in: nodes) } else { window.append(id, node, in: nodes) }
  }

  @inline(__always)
  func weight(of node: Node) -> Int {
    node.pointee.frequency.count(at: sketch.epoch)
      &+ (node.pointee.isVisited.load(ordering: .relaxed) ? 1 : 0)
  }
}

/// Which entry leaves: adaptive two-FIFO TinyLFU.
///
/// New entries enter the *window*; what leaves it competes with the oldest of *main* by how often
/// each was seen. Nothing moves on a hit, which only sets the entry's visited bit: a visited entry
/// of main gets a second chance when its turn comes. Whatever left is remembered for a while as a
/// ghost, and one that comes back too soon moves the border between the two queues.
///
/// It knows entries by number and reaches their nodes; the owner's lock guards it. Every scan is
/// bounded, so that no insertion takes longer the more there is.
@usableFromInline
struct A2F {
  // First, as they are written at once: across two cache lines that takes 8 ns more.
  @usableFromInline var total = 0  // The sum of costs.
  @usableFromInline var count = 0
  @usableFromInline var nodes: MemoryNodes
  @usableFromInline let capacity: Int
  let isWeighted: Bool
  private let most: Int  // The most entries it can hold.
  var window = NodeQueue()
  var main = NodeQueue()
  var ghosts: Ghosts?  // None until something was evicted.
  var ghostLimit = 0  // For how many entries they are enough.
  var sketch: Sketch
  var target = 1.0
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
    most = min(capacity, A2F.countLimit)
    sketch = Sketch(entries: isWeighted ? 0 : min(capacity, 1 << 20))  // It grows with the cache.
    target = bounded(1)
  }

  @usableFromInline static var countLimit: Int { 1 << 31 }

  func deallocate() {
    ghosts?.deallocate()
    sketch.deallocate()
  }

  /// The capacity in entries, as far as that can be told.
  @inline(__always) var scale: Int { isWeighted ? count : most }

  @inline(__always)
  func isWide(_ target: Double) -> Bool { Double(window.count) >= target }

  @inline(__always)
  private var bounds: ClosedRange<Double> {
    let least = max(1, 0.01 * Double(scale))
    return least...max(least, 0.95 * Double(scale))
  }

  @inline(__always)
  var boundedTarget: Double {
    guard isWeighted else { return target }  // Within its bounds already: they do not move.
    return bounded(target)
  }

  @inline(__always)
  private func bounded(_ target: Double) -> Double {
    let bounds = bounds
    return min(max(target, bounds.lowerBound), bounds.upperBound)
  }
}

extension A2F /* : coming */ {
  /// What is known of a key that comes: whether it was here before.
  @usableFromInline
  struct Arrival {
    let hash: UInt64
    let sightings: Sightings
    let isGhost: Bool
  }

  /// Whether there is room for an entry, or for more cost of one that is here.
  @inlinable
  @inline(__always)
  func hasRoom(for cost: Int, isNew: Bool) -> Bool {
    cost <= capacity &- total && !(isNew && count >= A2F.countLimit)
  }

  /// Counts a key that is not here and is about to be; called once, before room is made for it.
  @usableFromInline
  mutating func announce(_ hash: UInt64) -> Arrival { note(hash) }

  @inline(__always)
  mutating func note(_ hash: UInt64) -> Arrival {
    sketch.grow(entries: count)
    let sightings = sketch.add(hash, entries: scale)
    guard let ghost = ghosts?.remove(hash, evictions: evictions) else {
      return Arrival(hash: hash, sightings: sightings, isGhost: false)
    }
    // A near miss: its queue was too small.
    if Double(ghost.since) <= max(1, 0.035 * Double(scale)) {
      target = bounded(bounded(target) + (ghost.wasMain ? -1 : 1))
    }
    return Arrival(hash: hash, sightings: sightings, isGhost: true)
  }

  /// Takes in an entry for which there is room; its key and value are written by the caller.
  @usableFromInline
  mutating func insert(_ arrival: Arrival, cost: Int) -> UInt32 {
    let number = nodes.take()
    enter(number, arrival, cost: cost)
    return number
  }

  /// Takes in the entry that a node is to hold.
  @inline(__always)
  mutating func enter(_ number: UInt32, _ arrival: Arrival, cost: Int) {
    let isMain = enters(arrival, cost: cost)
    let node = nodes[number]
    node.pointee.hash = arrival.hash
    node.pointee.cost = cost
    node.pointee.isVisited.store(false, ordering: .relaxed)
    node.pointee.sightings = arrival.sightings
    append(number, toMain: isMain)
    total &+= cost
    count &+= 1
  }

  /// Whether an entry goes straight to main: a ghost that beats the oldest there, and whatever
  /// comes while there is much room and the window has its share.
  @inline(__always)
  private mutating func enters(_ arrival: Arrival, cost: Int) -> Bool {
    if arrival.isGhost {
      guard let rival = main.first else { return true }
      return arrival.sightings.count(at: sketch.epoch) > weight(of: rival)
    }
    let slack = ghosts == nil ? 0 : capacity / 8
    return isWide(boundedTarget) && cost <= capacity - total - slack
  }

  @inline(__always)
  mutating func append(_ number: UInt32, toMain isMain: Bool) {
    nodes[number].pointee.isMain = isMain
    if isMain { main.append(number, in: nodes) } else { window.append(number, in: nodes) }
  }

  @inline(__always)
  func weight(of number: UInt32) -> Int {
    let node = nodes[number]
    return node.pointee.sightings.count(at: sketch.epoch)
      &+ (node.pointee.isVisited.load(ordering: .relaxed) ? 1 : 0)
  }
}

extension A2F /* : eviction */ {
  /// Unlinks an entry from its queue. The caller frees the node.
  @usableFromInline
  mutating func remove(_ id: UInt32) {
    let node = nodes[id]
    guard node.pointee.cost > 0 else { return pinned -= 1 }
    if node.pointee.isMain {
      main.remove(id, in: nodes)
    } else {
      window.remove(id, in: nodes)
    }
    total -= node.pointee.cost
    count -= 1
  }

  /// Unlinks the least valuable entry. The caller frees its node.
  @usableFromInline
  mutating func evict() -> UInt32 { removeLeastValuable().id }

  /// Unlinks the least valuable entry.
  ///
  /// - Precondition: The level contains at least one entry.
  @inline(__always)
  mutating func removeLeastValuable() -> (id: UInt32, node: Node) {
    let victim: UInt32
    let node: Node
    if ranksByDensity {
      (victim, node) = removeSparsest()
    } else if isWide(boundedTarget) || main.count == 0 {
      (victim, node) = removeDuelLoser()
    } else {
      node = spareOldest(atMost: 16)
      victim = main.removeFirst(node)
    }
    remember(node)
    total &-= node.pointee.cost
    count &-= 1
    return (victim, node)
  }

  /// Compares the oldest entry of the window queue with the oldest entry of the main queue, and
  /// unlinks the less valuable one. If the window queue's entry is more valuable, it moves to the
  /// main queue.
  ///
  /// A visited entry that loses isn't evicted yet. Instead, it moves to the end of the window queue,
  /// and the next entry is compared. If the window queue has more entries than its target, the next
  /// entry is compared after a more valuable one, too. So both queues reach the right size, instead
  /// of only exchanging entries. This happens at most five times, so the time of an eviction is
  /// bounded.
  @inline(__always)
  private mutating func removeDuelLoser() -> (UInt32, Node) {
    // With more than five entries for each challenger, the policy would clear too many bits if
    // almost all keys fit into the cache.
    let oldest = spareOldest(atMost: 5)
    let rival = main.count == 0 ? .max : weight(of: oldest)
    var chances = 5
    while true {
      let node = nodes[window.head]
      let challenger = window.removeFirst(node)
      let wasVisited = node.pointee.isVisited.load(ordering: .relaxed)
      // Without a handicap, new keys with the same count as the rival would replace it.
      let strength = node.pointee.frequency.count(at: sketch.epoch) &+ (wasVisited ? 1 : -1)
      let isStronger = strength > rival
      lookAhead.countCompared(wasRead: wasVisited)
      if wasVisited { count(node) }
      guard isStronger || wasVisited && chances > 0 && window.count > 0 else {
        return (challenger, node)
      }
      node.pointee.isVisited.store(false, ordering: .relaxed)
      append(challenger, node, toMain: isStronger)
      if isStronger, chances == 0 || !isWide(boundedTarget + 1) {
        return (main.removeFirst(oldest), oldest)
      }
      chances &-= 1
    }
  }

  /// Moves visited entries from the front of the main queue to its end, and counts their visits.
  /// Returns the entry that is then the oldest one. It has no meaning if the queue is empty.
  @inline(__always)
  mutating func spareOldest(atMost chances: Int) -> Node {
    let oldest = nodes[main.head]
    guard main.count > 0, oldest.pointee.isVisited.load(ordering: .relaxed) else { return oldest }
    spareVisited(atMost: chances)
    return nodes[main.head]
  }

  @inline(never)
  private mutating func spareVisited(atMost chances: Int) {
    for _ in 0..<chances {
      let node = nodes[main.head]
      guard node.pointee.isVisited.load(ordering: .relaxed) else { break }
      count(node)
      lookAhead.countSpared()
      node.pointee.isVisited.store(false, ordering: .relaxed)
      main.append(main.removeFirst(node), node, in: nodes)
    }
  }

  @inline(__always)
  mutating func count(_ node: UnsafeMutablePointer<MemoryNode>) {
    node.pointee.frequency = sketch.add(node.pointee.hash, entries: scale)
  }

  @inline(__always)
  private mutating func remember(_ node: UnsafeMutablePointer<MemoryNode>) {
    if count > ghostLimit { makeGhosts() }
    let isMain = node.pointee.isMain
    ghosts?.insert(
      node.pointee.hash, wasMain: isMain, stamp: isMain ? evictions.main : evictions.window)
    if isMain { evictions.main &+= 1 } else { evictions.window &+= 1 }
  }

  /// Creates the ghost table, or replaces it with a larger one. This function is called when the
  /// number of entries exceeds `ghostLimit`.
  @inline(never)
  private mutating func makeGhosts() {
    ghostLimit = isWeighted ? count + count / 2 : count
    guard let larger = Ghosts(limit: ghostLimit) else { return }
    ghosts?.deallocate()
    ghosts = larger
  }

  /// The number of evictions.
  var evicted: Int { evictions.window + evictions.main + otherEvictions }

  /// Resets the policy and returns the chunks of nodes, which the caller drains and frees.
  mutating func removeAll() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    deallocate()
    let old = nodes.removeAll()
    let earlier = self
    self = A2F(
      capacity: capacity, isWeighted: isWeighted, ranksByDensity: ranksByDensity, nodes: nodes)
    (wanted, pinLimit, otherEvictions) = (earlier.wanted, earlier.pinLimit, earlier.evicted)
    return old
  }
}

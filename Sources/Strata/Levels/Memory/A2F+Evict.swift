extension A2F /* : going */ {
  /// Takes out an entry that is removed; the caller gives its node back.
  @usableFromInline
  mutating func remove(_ number: UInt32) {
    let node = nodes[number]
    if node.pointee.isMain {
      main.remove(number, in: nodes)
    } else {
      window.remove(number, in: nodes)
    }
    total -= node.pointee.cost
    count -= 1
  }

  /// Takes out the entry that is worth least; the caller gives its node back.
  @usableFromInline
  mutating func evict() -> UInt32 { takeLeast() }

  /// Takes out the entry that is worth least, of one at least.
  @inline(__always)
  mutating func takeLeast() -> UInt32 {
    let victim: UInt32
    if isWide(boundedTarget) || main.count == 0 {
      victim = takeLoserOfDuel()
    } else {
      spareOldest(atMost: 16)
      victim = main.removeFirst(in: nodes)
    }
    let node = nodes[victim]
    remember(node)
    total &-= node.pointee.cost
    count &-= 1
    return victim
  }

  /// The oldest of the window against the oldest of main; if it wins, it goes there.
  @inline(__always)
  private mutating func takeLoserOfDuel() -> UInt32 {
    let challenger = window.removeFirst(in: nodes)
    let node = nodes[challenger]
    let wasVisited = node.pointee.isVisited.load(ordering: .relaxed)
    let strength = node.pointee.sightings.count(at: sketch.epoch) &+ (wasVisited ? 1 : 0)
    if wasVisited { count(node) }
    spareOldest(atMost: 5)
    let handicap = wasVisited ? 0 : 2
    guard strength > handicap, let rival = main.first, strength > weight(of: rival) &+ handicap
    else { return challenger }
    node.pointee.isVisited.store(false, ordering: .relaxed)
    append(challenger, toMain: true)
    return main.removeFirst(in: nodes)
  }

  /// Moves the oldest of main to the end as long as it was visited, and counts the visits.
  @inline(__always)
  private mutating func spareOldest(atMost chances: Int) {
    guard main.count != 0, nodes[main.head].pointee.isVisited.load(ordering: .relaxed) else {
      return
    }
    spareVisited(atMost: chances)
  }

  @inline(never)
  private mutating func spareVisited(atMost chances: Int) {
    for _ in 0..<chances {
      let node = nodes[main.head]
      guard node.pointee.isVisited.load(ordering: .relaxed) else { return }
      count(node)
      node.pointee.isVisited.store(false, ordering: .relaxed)
      main.append(main.removeFirst(in: nodes), in: nodes)
    }
  }

  @inline(__always)
  private mutating func count(_ node: UnsafeMutablePointer<MemoryNode>) {
    node.pointee.sightings = sketch.add(node.pointee.hash, entries: scale)
  }

  @inline(__always)
  private mutating func remember(_ node: UnsafeMutablePointer<MemoryNode>) {
    if count > ghostLimit { makeGhosts() }
    let isMain = node.pointee.isMain
    ghosts?.insert(
      node.pointee.hash, wasMain: isMain, stamp: isMain ? evictions.main : evictions.window)
    if isMain { evictions.main &+= 1 } else { evictions.window &+= 1 }
  }

  /// Begins to remember; anew, if a cache bounded by cost holds far more than ever before.
  @inline(never)
  private mutating func makeGhosts() {
    ghosts?.deallocate()
    ghosts = Ghosts(limit: isWeighted ? count + count / 2 : count)
    ghostLimit = isWeighted ? count + count / 2 : count
  }

  /// Starts anew with nothing; returns the chunks of nodes, for the caller to empty and free.
  mutating func removeAll() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    deallocate()
    let old = nodes.removeAll()
    self = A2F(capacity: capacity, isWeighted: isWeighted, nodes: nodes)
    return old
  }
}

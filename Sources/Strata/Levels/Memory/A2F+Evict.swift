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
  mutating func evict() -> UInt32 {
    var victim = window.first ?? main.first ?? 0
    if isWide(boundedTarget) || main.count == 0 {
      victim = loserOfDuel(victim)
    } else {
      for _ in 0..<16 { guard spareOldest() else { break } }
      victim = main.first ?? victim
    }
    remember(nodes[victim])
    remove(victim)
    return victim
  }

  /// The oldest of the window against the oldest of main; if it wins, it goes there.
  private mutating func loserOfDuel(_ challenger: UInt32) -> UInt32 {
    let node = nodes[challenger]
    let strength = weight(of: challenger)
    let wasVisited = node.pointee.isVisited.load(ordering: .relaxed)
    if wasVisited { sketch.add(node.pointee.hash, entries: scale) }
    for _ in 0..<5 { guard spareOldest() else { break } }
    let handicap = wasVisited ? 0 : 1
    guard strength > handicap, let rival = main.first, strength > weight(of: rival) + handicap
    else { return challenger }
    window.remove(challenger, in: nodes)
    node.pointee.isVisited.store(false, ordering: .relaxed)
    append(challenger, toMain: true)
    return rival
  }

  /// Moves the oldest of main to the end if it was visited, and counts the visit.
  private mutating func spareOldest() -> Bool {
    guard let oldest = main.first else { return false }
    let node = nodes[oldest]
    guard node.pointee.isVisited.load(ordering: .relaxed) else { return false }
    sketch.add(node.pointee.hash, entries: scale)
    node.pointee.isVisited.store(false, ordering: .relaxed)
    main.remove(oldest, in: nodes)
    main.append(oldest, in: nodes)
    return true
  }

  private mutating func remember(_ node: UnsafeMutablePointer<MemoryNode>) {
    let isMain = node.pointee.isMain
    if count > ghosts?.limit ?? 0 {
      ghosts?.deallocate()  // Of a cache bounded by cost that holds far more than ever before.
      ghosts = Ghosts(limit: isWeighted ? count + count / 2 : count)
    }
    ghosts?.insert(
      node.pointee.hash, wasMain: isMain, stamp: isMain ? evictions.main : evictions.window)
    if isMain { evictions.main += 1 } else { evictions.window += 1 }
  }

  /// Starts anew with nothing; returns the chunks of nodes, for the caller to empty and free.
  mutating func removeAll() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    deallocate()
    let old = nodes.removeAll()
    self = A2F(capacity: capacity, isWeighted: isWeighted, nodes: nodes)
    return old
  }
}

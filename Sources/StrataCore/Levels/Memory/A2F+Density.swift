extension A2F /* : entries with costs */ {
  /// The maximum numbers of comparisons in one search of a queue for an entry with a low density.
  ///
  /// The main queue's entry that a search has chosen often stays for several evictions. Meanwhile, a
  /// search compares only a few more entries with it. So a search takes less time on average than with
  /// 7 comparisons each time, and the mean object hit ratio over 14 real traces with generated costs
  /// is the same. With 4 comparisons in the window, this mean is a percentage point lower.
  private static var comparisons: (inWindow: Int, inMain: Int, more: Int) { (7, 15, 2) }

  /// The density of an entry: its frequency per unit of cost.
  @inline(__always)
  func density(_ frequency: Int, _ cost: Int) -> Double { Double(frequency) / Double(cost) }

  @inline(__always)
  func density(of node: Node) -> Double { density(weight(of: node), node.pointee.cost) }

  /// Whether a key that is inserted again soon after its eviction changes the size of the window.
  ///
  /// If the policy compares frequencies per cost, an entry with an above-average cost doesn't
  /// change the size. Such an entry was evicted because of its cost, and not because its queue was
  /// too small.
  @inline(__always)
  func mayAdapt(toCost cost: Int) -> Bool {
    !ranksByDensity || count == 0 || cost <= total / count
  }

  /// Unlinks an entry with a low density, as in GDSF (Cherkasova, HP Laboratories, 1998).
  ///
  /// A new entry always enters a queue, however high its cost is. Only a later insertion can evict
  /// it.
  ///
  /// - Precondition: The level contains at least one entry.
  @inline(never)
  mutating func removeSparsest() -> (UInt32, Node) {
    _ = spareOldest(atMost: 5)
    let (_, inMain, more) = A2F.comparisons
    if main.count > 1 {
      let comparisons = main.head == sparsest ? more : inMain
      main.prepend(removeSparse(ofMain: true, comparisons).id, in: nodes)
    }
    sparsest = main.head
    let rival = nodes[main.head]
    guard isWide(boundedTarget) || main.count == 0 else {
      return (main.removeFirst(rival), rival)
    }
    var chances = 5
    while true {
      let (challenger, node) = removeSparse(ofMain: false, A2F.comparisons.inWindow)
      let strength = density(of: node)
      let wasVisited = node.pointee.isVisited.load(ordering: .relaxed)
      if wasVisited { count(node) }
      let isDenser = main.count > 0 && strength > density(of: rival)
      guard isDenser || wasVisited && chances > 0 && window.count > 0 else {
        return (challenger, node)
      }
      node.pointee.isVisited.store(false, ordering: .relaxed)
      append(challenger, node, toMain: isDenser)
      if isDenser { return (main.removeFirst(rival), rival) }
      chances &-= 1
    }
  }

  /// Compares the oldest entries of a queue. Unlinks the one with the lowest density, or the oldest
  /// of several such entries, and moves the other compared entries to the end of the queue.
  ///
  /// - Precondition: The window has an entry, or the main queue has at least two.
  @inline(__always)
  private mutating func removeSparse(
    ofMain isMain: Bool, _ comparisons: Int
  ) -> (id: UInt32, node: Node) {
    let queue = isMain ? main : window
    var (sparsest, last) = (queue.head, queue.head)
    var (node, sparse) = (nodes[last], nodes[last])
    var least = density(of: node)
    for _ in 0..<min(comparisons, queue.count &- 1) {
      last = node.pointee.next
      node = nodes[last]
      let density = density(of: node)
      let isSparser = density < least
      if isMain { countVisit(of: isSparser ? sparse : node) }
      sparsest = isSparser ? last : sparsest
      sparse = isSparser ? node : sparse
      least = isSparser ? density : least
    }
    if isMain {
      main.remove(sparsest, sparse, movingUpTo: last, in: nodes)
    } else if queue.count > 1 {
      window.remove(sparsest, sparse, movingUpTo: last, in: nodes)
    } else {
      window.removeFirst(sparse)
    }
    return (sparsest, sparse)
  }

  /// When the visited bit of an entry is set, counts the visit and clears the bit.
  @inline(__always)
  private mutating func countVisit(of node: Node) {
    if node.pointee.isVisited.load(ordering: .relaxed) { clearVisit(of: node) }
  }

  @inline(never)
  private mutating func clearVisit(of node: Node) {
    count(node)
    node.pointee.isVisited.store(false, ordering: .relaxed)
  }
}

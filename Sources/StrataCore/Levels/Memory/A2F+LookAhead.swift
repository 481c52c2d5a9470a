extension A2F /* : the size of the window */ {
  /// Adapts the window's target to the return of a key that has a ghost.
  @inline(__always)
  mutating func adapt(to ghost: Ghosts.Ghost, cost: Int) {
    // The key was inserted again soon after its eviction, so the queue that evicted the key was too
    // small.
    let range = max(1, 0.035 * Double(scale))
    if Double(ghost.evictionsSince) <= range, mayAdapt(toCost: cost) {
      target = bounded(
        bounded(target) + steps.countNearMiss(wasMain: ghost.wasMain, limit: range))
    }
    lookAhead.countReturn(age: ghost.evictionsSince, wasMain: ghost.wasMain, scale: scale)
  }

  /// Counts an insertion and, when a decision is due, chooses the steps for near misses and lets the
  /// window expand or shrink back.
  ///
  /// If the policy compares frequencies per cost, it doesn't look ahead, and its steps stay short. A
  /// large window would hold expensive entries, so the object hit ratio would fall.
  @inline(__always)
  mutating func lookAheadIfDue() {
    guard ghosts != nil, !ranksByDensity, lookAhead.isDue(scale: scale) else { return }
    decideAhead()
  }

  @inline(never)
  private mutating func decideAhead() {
    steps.update()
    let target = lookAhead.decide(
      target: bounded(target), atMost: bounds.upperBound, main: main.count, scale: scale)
    self.target = bounded(target)
  }
}

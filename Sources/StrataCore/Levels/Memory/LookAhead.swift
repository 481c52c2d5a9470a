/// Decides when a memory level's window should become much larger, and when it should shrink back.
///
/// A key that returns soon after its eviction moves the window's target by a few entries. But some
/// traffic reads each key again after a long while, for example when half the capacity has been
/// evicted. Then hardly any key returns soon, so the window stays small, and almost all gets miss.
///
/// For such traffic, this structure counts the keys that the window evicted and that are inserted
/// again, by the number of evictions in between. The counts show how many hits each additional
/// entry of the window would bring. If these exceed what an entry of the main queue yields, the window
/// expands in small steps.
///
/// The counts predict what would happen if the traffic stayed the same, which can be wrong. So after
/// an expansion, the entries that leave the window must have been read more often than before.
/// Otherwise, the window shrinks back, and waits before it expands again. After each failure, it
/// waits twice as long.
///
/// Only misses and evictions change this structure. A hit doesn't access it.
struct LookAhead {
  // These fields come first, because most insertions change only them.
  private var insertions = 0  // Since the last decision.
  private(set) var spared = 0  // Second chances in the main queue. Each stands for a hit.
  private(set) var compared = 0  // Entries at the end of the window.
  private(set) var read = 0  // Those of them that were read.
  /// Keys that the main queue evicted too early. Their number approximates the hits that a main
  /// queue with room for another quarter of the scale would yield.
  private(set) var lost = 0
  /// Keys that the window evicted and that returned. The first element counts those before whose
  /// return the window evicted up to a sixteenth of the scale, the second one those with up to two
  /// sixteenths, and so on.
  private(set) var returned = SIMD16<UInt32>()
  private var successes = 0  // Decisions in a row for which a larger window was worthwhile.
  /// The target and the fraction of read entries before the first expansion, or `nil` if there was
  /// none.
  private var start: (target: Double, fraction: Double)?
  /// Whether the window shrinks. Meanwhile, it can't expand.
  private var isShrinking = false
  private(set) var pause = 0  // The number of decisions until an expansion is possible.
  private var nextPause = LookAhead.shortestPause

  /// With only three, the window would expand after many changes of the traffic, when the entries of
  /// the main queue aren't read any more.
  private static var requiredSuccesses: Int { 8 }
  private static var shortestPause: Int { 16 }
  private static var longestPause: Int { 256 }

  /// Counts an evicted key that is now inserted again.
  ///
  /// - Parameters:
  ///   - age: The number of entries that the same queue has evicted since then.
  ///   - wasMain: Whether the main queue evicted the key.
  ///   - scale: The number of entries that fit into the level.
  mutating func countReturn(age: Int, wasMain: Bool, scale: Int) {
    if wasMain {
      if age &* 4 <= max(4, scale) { lost &+= 1 }
      return
    }
    let element = age &* 16 / max(1, scale)
    if element < 16 { returned[element] &+= 1 }
  }

  /// Counts an entry of the main queue that was read, and therefore isn't evicted.
  @inline(__always)
  mutating func countSpared() { spared &+= 1 }

  /// Counts an entry at the end of the window.
  @inline(__always)
  mutating func countCompared(wasRead: Bool) {
    compared &+= 1
    if wasRead { read &+= 1 }
  }

  /// Counts an insertion. Returns whether a decision is due, which is the case after every
  /// `scale` / 16 insertions.
  @inline(__always)
  mutating func isDue(scale: Int) -> Bool {
    insertions &+= 1
    return insertions >= LookAhead.interval(scale)
  }

  @inline(__always)
  private static func interval(_ scale: Int) -> Int { max(64, scale &>> 4) }

  /// Returns the new target for the window, which is at most 2 % of the scale away from the old one.
  ///
  /// - Parameters:
  ///   - target: The present target.
  ///   - limit: The highest possible target.
  ///   - main: The number of entries in the main queue.
  mutating func decide(target: Double, atMost limit: Double, main: Int, scale: Int) -> Double {
    defer { fade() }
    let scale = max(1, scale)  // The scale of a level with costs is zero while it's empty.
    let step = 0.02 * Double(scale)
    let fraction = compared == 0 ? 0 : Double(read) / Double(compared)
    if let start, target < start.target { self.start?.target = target }
    let isPausing = pause > 0
    if isPausing { pause -= 1 }
    if !isPausing, !isShrinking, isWorthwhile(room: limit - target, main: main, scale: scale) {
      successes += 1
      guard successes >= LookAhead.requiredSuccesses else { return target }
      if start == nil { start = (target, fraction) }
      return target + step
    }
    successes = 0
    guard let start else { return target }
    isShrinking = Double(compared) > 4 * step && fraction < start.fraction + 0.05
    guard isShrinking else {
      if fraction >= start.fraction + 0.05 { nextPause = LookAhead.shortestPause }
      return target
    }
    return shrink(target - step, to: start.target)
  }

  /// Ends an expansion and forgets all counts, because the scale has changed.
  ///
  /// - Returns: The target before the expansion, or `nil` if there was none.
  mutating func restart() -> Double? {
    defer { self = LookAhead() }
    return start?.target
  }

  /// Returns the smaller target. If it's the one before the first expansion, a pause begins.
  private mutating func shrink(_ target: Double, to first: Double) -> Double {
    guard target <= first + 0.5 else { return target }
    (start, isShrinking) = (nil, false)
    (pause, nextPause) = (nextPause, min(LookAhead.longestPause, 2 * nextPause))
    return first
  }

  /// Whether a window that is larger by at most `room` entries would yield enough hits, at least one
  /// for ten insertions.
  ///
  /// The best size must be larger by at least two sixteenths of the scale, because the usual steps
  /// find smaller ones. Its hits per additional entry must exceed those that a larger main queue
  /// would yield. They must also be five times as many as those of the present main queue, where an
  /// entry that is read several times counts only once.
  private func isWorthwhile(room: Double, main: Int, scale: Int) -> Bool {
    let width = Double(scale) / 16
    var (sum, hits, best, size) = (0, 0, 0.0, 0)
    for element in 0..<max(0, min(16, Int(room / width))) {
      sum += Int(returned[element])
      let yield = Double(sum) / (Double(element + 1) * width)
      if yield > best { (hits, best, size) = (sum, yield, element + 1) }
    }
    // Because counts fade slowly, they are up to four times as high as those of one interval.
    return size > 1 && 5 * hits >= 2 * LookAhead.interval(scale)
      && best > Double(lost) / max(1, Double(scale) / 4)
      && best > 5 * Double(spared) / Double(max(1, main))
  }

  /// Reduces all counts by a quarter, so that recent events weigh more than older ones.
  private mutating func fade() {
    insertions = 0
    (spared, lost) = (spared * 3 / 4, lost * 3 / 4)
    (compared, read) = (compared * 3 / 4, read * 3 / 4)
    returned = (returned &* 3) &>> 2
  }
}

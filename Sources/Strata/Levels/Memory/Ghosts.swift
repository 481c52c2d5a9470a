/// The hashes of what was evicted last, each with the queue it left and when.
///
/// A table of blocks of 64 bytes, one cache line, each a first-in-first-out row of eight: whatever
/// comes pushes the others on and the oldest out. So it remembers half as many again as the cache
/// holds, on the average, in 12 bytes for each entry of the cache, and nothing is ever searched or
/// moved beyond one line.
struct Ghosts {
  /// From which queue something was evicted, and how many have been evicted from there since.
  struct Ghost {
    let wasMain: Bool
    let since: Int
  }

  private let blocks: UInt64
  private let words: UnsafeMutablePointer<UInt64>
  /// The most entries of a cache for which it is large enough.
  let limit: Int

  private static var perBlock: Int { 8 }
  private static var stampMask: UInt64 { 0x7fff_ffff }

  /// - Parameter limit: How many entries the cache holds.
  init(limit: Int) {
    self.limit = limit
    blocks = UInt64(max(8, (2 * limit + Ghosts.perBlock - 1) / Ghosts.perBlock))
    words = zeroed(Int(blocks), of: 64, alignment: 64).assumingMemoryBound(to: UInt64.self)
  }

  func deallocate() { freeZeroed(words) }

  /// - Parameter stamp: How many had been evicted from the same queue before.
  @inline(__always)
  func insert(_ hash: UInt64, wasMain: Bool, stamp: Int) {
    let block = block(of: hash)
    for place in (1..<Ghosts.perBlock).reversed() { block[place] = block[place &- 1] }
    let stamp = (UInt64(truncatingIfNeeded: stamp) & Ghosts.stampMask) &<< 32
    block[0] = UInt64(tag(hash)) | stamp | (wasMain ? 1 &<< 63 : 0)
  }

  /// - Parameter evictions: How many have been evicted from each queue until now.
  @inline(__always)
  func remove(_ hash: UInt64, evictions: (window: Int, main: Int)) -> Ghost? {
    let (block, tag) = (block(of: hash), tag(hash))
    for place in 0..<Ghosts.perBlock 
    where UInt32(truncatingIfNeeded: block[place]) == tag {
      let wasMain = block[place] &>> 63 == 1
      let now = UInt64(truncatingIfNeeded: wasMain ? evictions.main : evictions.window)
      let since = (now &- (block[place] &>> 32)) & Ghosts.stampMask
      for next in place..<Ghosts.perBlock &- 1 { block[next] = block[next &+ 1] }
      block[Ghosts.perBlock &- 1] = 0
      return Ghost(wasMain: wasMain, since: Int(since))
    }
    return nil
  }

  @inline(__always)
  private func block(of hash: UInt64) -> UnsafeMutablePointer<UInt64> {
    words + Int(truncatingIfNeeded: hash.multipliedFullWidth(by: blocks).high) &* Ghosts.perBlock
  }

  /// Half of the hash, other bits than those that choose the block; never zero, as a free place is.
  @inline(__always)
  private func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) | 1 }
}

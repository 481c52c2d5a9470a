/// The hashes of what was evicted last, each with the queue it left and when.
///
/// A table of blocks of 64 bytes, one cache line, each a first-in-first-out row of eight: whatever
/// comes pushes the others on and the oldest out. So it remembers three for every two entries of
/// the cache or a little less, in 11 bytes for each entry, and nothing is ever searched or moved
/// beyond one line.
struct Ghosts {
  /// From which queue something was evicted, and how many have been evicted from there since.
  struct Ghost {
    let wasMain: Bool
    let since: Int
  }

  /// Eight tags and then their notes: both are moved on, and tags are compared, as one.
  private struct Block {
    var tags: SIMD8<UInt32>
    var notes: SIMD8<UInt32>
  }

  private let blocks: UnsafeMutablePointer<Block>
  private let count: UInt64
  /// The most entries of a cache for which it is large enough.
  let limit: Int

  private static var stampMask: UInt32 { 0x7fff_ffff }

  /// - Parameter limit: How many entries the cache holds.
  init(limit: Int) {
    self.limit = limit
    count = UInt64(max(8, (11 * limit / 8 + 7) / 8))
    blocks = zeroed(Int(count), of: 64, alignment: 64).assumingMemoryBound(to: Block.self)
  }

  func deallocate() { freeZeroed(blocks) }

  /// - Parameter stamp: How many had been evicted from the same queue before.
  @inline(__always)
  func insert(_ hash: UInt64, wasMain: Bool, stamp: Int) {
    let block = block(of: hash)
    let stamp = UInt32(truncatingIfNeeded: stamp) & Ghosts.stampMask
    Ghosts.push(tag(hash), to: block)
    Ghosts.push(
      stamp | (wasMain ? 1 &<< 31 : 0), to: UnsafeMutableRawPointer(block) + 32)
  }

  /// Moves seven on by one place, in two overlapping pieces.
  @inline(__always)
  private static func push(_ first: UInt32, to row: UnsafeMutableRawPointer) {
    let low = row.load(as: SIMD4<UInt32>.self)
    let high = row.loadUnaligned(fromByteOffset: 12, as: SIMD4<UInt32>.self)
    row.storeBytes(of: low, toByteOffset: 4, as: SIMD4<UInt32>.self)
    row.storeBytes(of: high, toByteOffset: 16, as: SIMD4<UInt32>.self)
    row.storeBytes(of: first, as: UInt32.self)
  }

  /// - Parameter evictions: How many have been evicted from each queue until now.
  @inline(__always)
  func remove(_ hash: UInt64, evictions: (window: Int, main: Int)) -> Ghost? {
    let block = block(of: hash)
    guard Ghosts.holds(tag(hash), block.pointee.tags),
      let place = (0..<8).first(where: { block.pointee.tags[$0] == tag(hash) })
    else { return nil }
    let note = Ghosts.pull(place, of: block)
    let wasMain = note &>> 31 == 1
    let now = UInt32(truncatingIfNeeded: wasMain ? evictions.main : evictions.window)
    return Ghost(wasMain: wasMain, since: Int((now &- note) & Ghosts.stampMask))
  }

  /// Whether one of eight is a tag. (A comparison of vectors, `.==`, goes through them one by one.)
  @inline(__always)
  private static func holds(_ tag: UInt32, _ tags: SIMD8<UInt32>) -> Bool {
    let other = tags ^ SIMD8(repeating: tag)
    let zeros = (other &- SIMD8(repeating: 1)) & ~other  // Of zeros alone the highest bit is set.
    let halves = zeros.lowHalf | zeros.highHalf
    let pairs = unsafeBitCast(halves, to: SIMD2<UInt64>.self)
    return (pairs[0] | pairs[1]) & 0x8000_0000_8000_0000 != 0
  }

  /// Takes a ghost out, and moves those after it back.
  private static func pull(_ place: Int, of block: UnsafeMutablePointer<Block>) -> UInt32 {
    let note = block.pointee.notes[place]
    for next in place..<7 {
      block.pointee.tags[next] = block.pointee.tags[next &+ 1]
      block.pointee.notes[next] = block.pointee.notes[next &+ 1]
    }
    (block.pointee.tags[7], block.pointee.notes[7]) = (0, 0)
    return note
  }

  @inline(__always)
  private func block(of hash: UInt64) -> UnsafeMutablePointer<Block> {
    blocks + Int(truncatingIfNeeded: hash.multipliedFullWidth(by: count).high)
  }

  /// Half of the hash, other bits than those that choose the block; never zero, as a free place is.
  @inline(__always)
  private func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) | 1 }
}

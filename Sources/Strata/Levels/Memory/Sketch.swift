#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How often hashes were seen of late, roughly: a count-min sketch with four rows of 4-bit
/// counters.
///
/// The four counters of a hash lie in two blocks of 64 bytes, two cache lines: with one, keys that
/// share it share all, and some hit ratios fall by half a point. All are halved when enough has
/// been counted, and carried over when the sketch grows; both are done to a block when it is next
/// used, so that neither makes a pause.
struct Sketch {
  private struct Table {
    let words: UnsafeMutablePointer<UInt64>
    let epochs: UnsafeMutablePointer<UInt32>  // By block: the halvings it has seen; 0 if not made.
    let blocks: Int

    init(blocks: Int) {
      self.blocks = blocks
      words = zeroed(blocks, of: 64, alignment: 64).assumingMemoryBound(to: UInt64.self)
      epochs = zeroed(blocks, of: 4, alignment: 4).assumingMemoryBound(to: UInt32.self)
    }

    func deallocate() {
      freeZeroed(words)
      freeZeroed(epochs)
    }
  }

  private var table: Table
  private var older: Table?  // What the table was before it grew, until all of it is carried over.
  private var carried = 0
  private(set) var epoch: UInt32 = 1
  private var counted = 0

  /// - Parameter entries: How many entries the cache holds; 8 bytes are spent for each.
  init(entries: Int) { table = Table(blocks: Sketch.blocks(for: entries)) }

  func deallocate() {
    table.deallocate()
    older?.deallocate()
  }

  /// Counts a hash; returns how often it was by now.
  ///
  /// - Parameter entries: How many entries the cache holds: after twenty times as many, all is
  ///   halved.
  @inline(__always)
  mutating func add(_ hash: UInt64, entries: Int) -> Sightings {
    let places = places(hash)
    let (upper, lower) = (block(places &>> 20), block(places &>> 42))
    let one = Sketch.grow(upper, places)
    let two = Sketch.grow(lower, places &>> 10)
    let sightings = Sightings(min(one.count, two.count), epoch)
    if one.step | two.step != 0 { note(entries) }
    return sightings
  }

  @inline(__always)
  private mutating func note(_ entries: Int) {
    counted &+= 1
    if counted >= 5120, counted >= 20 &* entries {
      counted /= 2
      epoch &+= 1
    }
  }

  /// Makes room for more entries.
  @inline(__always)
  mutating func grow(entries: Int) {
    guard older != nil || entries > table.blocks &* 8 else { return }
    growNow(entries: entries)
  }

  @inline(never)
  private mutating func growNow(entries: Int) {
    if older != nil, carried < table.blocks { carryNext() }
    guard Sketch.blocks(for: entries) > table.blocks else { return }
    while older != nil, carried < table.blocks { carryNext() }
    older?.deallocate()
    older = table
    carried = 0
    table = Table(blocks: table.blocks * 2)
  }

  private mutating func carryNext() {
    if table.epochs[carried] != epoch { update(carried) }
    carried += 1
  }

  private static func blocks(for entries: Int) -> Int {
    var words = 1024  // Fewer would let small caches confuse too many keys.
    while words < entries { words *= 2 }
    return words / 8
  }

  /// Where the counters of a hash are: five bits for each row, and 22 for each of the two blocks.
  @inline(__always)
  private func places(_ hash: UInt64) -> UInt64 {
    KeyHash.folded(hash ^ 0x8a5c_d789_635d_2dff, 0x9e6c_63d0_876a_68ed)
  }

  /// The words of a block, brought up to date.
  @inline(__always)
  private mutating func block(_ bits: UInt64) -> UnsafeMutablePointer<UInt64> {
    let block = Int(truncatingIfNeeded: bits) & (table.blocks &- 1)
    if table.epochs[block] != epoch { update(block) }
    return table.words + block &* 8
  }

  /// Two counters of one word.
  @inline(__always)
  private static func grow(
    _ block: UnsafeMutablePointer<UInt64>, _ bits: UInt64
  ) -> (count: UInt64, step: UInt64) {
    let place = Int(truncatingIfNeeded: bits & 7)
    let word = block[place]
    let (one, two) = (bits &>> 1 & 28, bits &>> 4 & 28 | 32)
    let (first, second) = (word &>> one & 15, word &>> two & 15)
    let (stepOne, stepTwo): (UInt64, UInt64) = (first == 15 ? 0 : 1, second == 15 ? 0 : 1)
    block[place] = word &+ (stepOne &<< one) &+ (stepTwo &<< two)
    return (min(first &+ stepOne, second &+ stepTwo), stepOne | stepTwo)
  }

  @inline(never)
  private mutating func update(_ block: Int) {
    let words = table.words + block * 8
    var seen = table.epochs[block]
    if seen == 0, let older {
      let source = block & (older.blocks - 1)
      seen = older.epochs[source]
      if seen != 0 { words.update(from: older.words + source * 8, count: 8) }
    }
    let halvings = seen == 0 ? 0 : min(epoch - seen, 4)
    for _ in 0..<halvings {
      for word in 0..<8 { words[word] = words[word] &>> 1 & 0x7777_7777_7777_7777 }
    }
    table.epochs[block] = epoch
  }
}

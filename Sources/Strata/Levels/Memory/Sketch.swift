#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How often hashes were seen of late, roughly: a count-min sketch with four rows of 4-bit counters.
///
/// The four counters of a hash lie in two blocks of 64 bytes, two cache lines: with one, keys that
/// share it share all, and some hit ratios fall by half a point. All are halved when enough has been
/// counted, and carried over when the sketch grows; both are done to a block when it is next used,
/// so that neither makes a pause.
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
    let one = Sketch.grow(0, upper, places)
    let two = Sketch.grow(1, upper, places)
    let three = Sketch.grow(2, lower, places)
    let four = Sketch.grow(3, lower, places)
    let sightings = Sightings(min(min(one.count, two.count), min(three.count, four.count)), epoch)
    if one.step | two.step | three.step | four.step != 0 { note(entries) }
    return sightings
  }

  @inline(__always)
  private mutating func note(_ entries: Int) {
    counted &+= 1
    if counted >= 20 &* max(entries, 256) {
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

  /// The word of a row's counter, and where in it the counter is: a row is two words of a block.
  @inline(__always)
  private static func place(_ row: UInt64, _ places: UInt64) -> (word: Int, shift: UInt64) {
    let bits = places &>> (row &* 5)
    return (Int(truncatingIfNeeded: row &* 2 &+ (bits & 1)), (bits & 30) &<< 1)
  }

  /// What a counter stands at afterwards, and one if it has grown, zero if it was full.
  @inline(__always)
  private static func grow(
    _ row: UInt64, _ block: UnsafeMutablePointer<UInt64>, _ places: UInt64
  ) -> (count: UInt64, step: UInt64) {
    let (word, shift) = place(row, places)
    let count = block[word] &>> shift & 15
    let step: UInt64 = count == 15 ? 0 : 1
    block[word] &+= step &<< shift
    return (count &+ step, step)
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

/// How often a hash had been seen, roughly, when it was last counted: remembered where it is used, as
/// what the sketch says later of one that was not counted since is only more mistaken.
@usableFromInline
struct Sightings {
  @usableFromInline let bits: UInt16  // Four bits of the count, twelve of the halvings there had been.

  @inline(__always)
  init(_ count: UInt64, _ epoch: UInt32) {
    bits = UInt16(truncatingIfNeeded: count &<< 12 | UInt64(epoch & 0xfff))
  }

  /// How often it is now, after so many halvings.
  @inline(__always)
  func count(at epoch: UInt32) -> Int {
    let halvings = (epoch &- UInt32(bits)) & 0xfff
    return Int(bits) &>> Int(12 &+ min(halvings, 4))
  }
}

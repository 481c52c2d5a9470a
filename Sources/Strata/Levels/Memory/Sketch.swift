#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How often hashes were seen of late, roughly: a count-min sketch with four rows of 4-bit counters.
///
/// The four counters of a hash lie in one block of 64 bytes, one cache line. All are halved when
/// enough has been counted, and carried over when the sketch grows; both are done to a block when it
/// is next used, so that neither makes a pause.
struct Sketch {
  private struct Table {
    let words: UnsafeMutablePointer<UInt64>
    let epochs: UnsafeMutablePointer<UInt32>  // By block: the halvings it has seen; 0 if not made.
    let blocks: Int

    init(blocks: Int) {
      self.blocks = blocks
      words = zeroed(blocks * 8, of: 8).assumingMemoryBound(to: UInt64.self)
      epochs = zeroed(blocks, of: 4).assumingMemoryBound(to: UInt32.self)
    }

    func deallocate() {
      free(words)
      free(epochs)
    }
  }

  private var table: Table
  private var older: Table?  // What the table was before it grew, until all of it is carried over.
  private var carried = 0
  private var epoch: UInt32 = 1
  private var counted = 0

  /// - Parameter entries: How many entries the cache holds; 8 bytes are spent for each.
  init(entries: Int) { table = Table(blocks: Sketch.blocks(for: entries)) }

  func deallocate() {
    table.deallocate()
    older?.deallocate()
  }

  /// How often a hash was counted, 15 at most.
  mutating func estimate(_ hash: UInt64) -> Int {
    let places = places(hash)
    var least: UInt64 = 15
    for row in 0..<4 {
      let (word, shift) = counter(row, places)
      least = min(least, word.pointee &>> shift & 15)
    }
    return Int(least)
  }

  /// Counts a hash.
  ///
  /// - Parameter entries: How many entries the cache holds: after twenty times as many, all is
  ///   halved.
  mutating func add(_ hash: UInt64, entries: Int) {
    let places = places(hash)
    var hasGrown = false
    for row in 0..<4 {
      let (word, shift) = counter(row, places)
      guard word.pointee &>> shift & 15 < 15 else { continue }
      word.pointee &+= 1 &<< shift
      hasGrown = true
    }
    guard hasGrown else { return }
    counted += 1
    if counted >= 20 * max(entries, 256) {
      counted /= 2
      epoch += 1
    }
  }

  /// Makes room for more entries.
  mutating func grow(entries: Int) {
    if older != nil, carried < table.blocks { carryNext() }
    guard Sketch.blocks(for: entries) > table.blocks else { return }
    while older != nil, carried < table.blocks { carryNext() }
    older?.deallocate()
    older = table
    carried = 0
    table = Table(blocks: table.blocks * 2)
  }

  private mutating func carryNext() {
    _ = carry(block: carried)
    carried += 1
  }

  private static func blocks(for entries: Int) -> Int {
    var words = 1024  // Fewer would let small caches confuse too many keys.
    while words < entries { words *= 2 }
    return words / 8
  }

  /// Where the rows' counters of a hash are: 32 bits for each row.
  @inline(__always)
  private func places(_ hash: UInt64) -> (UInt64, UInt64) {
    let mixed = KeyHash.folded(hash ^ 0x8a5c_d789_635d_2dff, 0x9e6c_63d0_876a_68ed)
    return (mixed, KeyHash.folded(mixed ^ hash, 0xc2b2_ae3d_27d4_eb4f))
  }

  /// The word of a row's counter, and where in it the counter lies: a row is two words of a block.
  @inline(__always)
  private mutating func counter(
    _ row: Int, _ places: (UInt64, UInt64)
  ) -> (word: UnsafeMutablePointer<UInt64>, shift: UInt64) {
    let bits = (row < 2 ? places.0 : places.1) &>> UInt64(32 &* (row & 1)) & 0xffff_ffff
    let words = carry(block: Int(truncatingIfNeeded: bits) & (table.blocks &- 1))
    let place = bits &>> 27
    let word = row &* 2 &+ Int(truncatingIfNeeded: place &>> 4)
    return (words + word, (place & 15) &<< 2)
  }

  /// The words of a block, brought up to date.
  @inline(__always)
  private mutating func carry(block: Int) -> UnsafeMutablePointer<UInt64> {
    if table.epochs[block] != epoch { update(block) }
    return table.words + block &* 8
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

/// An open-addressing table from hashes to entries: eight bytes a slot, at most 3/4 full.
///
/// A slot holds 32 bits of the hash, mixed with a seed of the process lest made-up keys crowd one
/// place, and the number of a book and an entry in it. Which of several entries is meant, the
/// caller tells. Deleting shifts back, so there are no graves.
struct Table {
  /// Where an entry is.
  struct Reference: Equatable {
    var book: Int
    var entry: Int
  }

  /// The most entries that one book may have.
  static let mostEntries = 1 << 24 - 1

  private(set) var count = 0
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: 16)
  private static let upperHalf: UInt64 = 0xffff_ffff_0000_0000
  private static let seed = UInt64.random(in: 0 ... .max)

  /// The slot of a hash of whose entry the caller says that it is the one.
  @inline(__always)
  func slot(of hash: UInt64, where isMeant: (Reference) -> Bool) -> Int? {
    let tag = Table.tag(hash)
    var slot = home(tag)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == tag >> 32, isMeant(self[slot]) { return slot }
      slot = next(slot)
    }
    return nil
  }

  /// Whether an entry is the one of its hash; looks at no entry.
  func holds(_ reference: Reference, of hash: UInt64) -> Bool { find(reference, hash) != nil }

  /// Removes an entry if it is the one of its hash.
  mutating func remove(_ reference: Reference, of hash: UInt64) -> Bool {
    guard let slot = find(reference, hash) else { return false }
    remove(slot)
    return true
  }

  @inline(__always)
  private func find(_ reference: Reference, _ hash: UInt64) -> Int? {
    let word = Table.tag(hash) | Table.bits(reference)
    var slot = home(word)
    while slots[slot] != 0 {
      if slots[slot] == word { return slot }
      slot = next(slot)
    }
    return nil
  }

  /// The entry in a slot that is in use.
  subscript(slot: Int) -> Reference {
    get {
      Reference(
        book: Int(slots[slot] >> 24 & 0xff), entry: Int(slots[slot] & 0xff_ffff) - 1)
    }
    set { slots[slot] = slots[slot] & Table.upperHalf | Table.bits(newValue) }
  }

  /// Adds an entry whose hash has none.
  mutating func insert(_ reference: Reference, hash: UInt64) {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    place(Table.tag(hash) | Table.bits(reference))
    count += 1
  }

  mutating func remove(_ slot: Int) {
    var (hole, place) = (slot, next(slot))
    while slots[place] != 0 {
      if distance(home(slots[place]), place) >= distance(hole, place) {
        slots[hole] = slots[place]
        hole = place
      }
      place = next(place)
    }
    slots[hole] = 0
    count -= 1
  }

  private mutating func place(_ word: UInt64) {
    var slot = home(word)
    while slots[slot] != 0 { slot = next(slot) }
    slots[slot] = word
  }

  /// By a half, since a table twice as long would be three eighths full.
  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: 0, count: old.count / 2 * 3)
    for word in old where word != 0 { place(word) }
  }

  /// Where the search for a hash begins, by the upper half of its word.
  @inline(__always)
  private func home(_ word: UInt64) -> Int { Int(((word >> 32) &* UInt64(slots.count)) >> 32) }

  @inline(__always)
  private func next(_ slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

  /// How many steps lead from one slot to another.
  private func distance(_ first: Int, _ last: Int) -> Int {
    first <= last ? last - first : last - first + slots.count
  }

  /// The mixed hash's upper half, in the upper half of a word.
  private static func tag(_ hash: UInt64) -> UInt64 {
    let mixed = (hash ^ seed) &* 0x9e37_79b9_7f4a_7c15
    return ((mixed ^ mixed >> 29) &* 0xbf58_476d_1ce4_e5b9) & upperHalf
  }

  private static func bits(_ reference: Reference) -> UInt64 {
    UInt64(reference.book) << 24 | UInt64(reference.entry + 1)
  }
}

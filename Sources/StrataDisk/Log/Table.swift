/// A hash table that maps hashes to entries, with open addressing. It uses at most 3/4 of its
/// slots. Each slot has eight bytes: 32 bits of the hash, and the position of an entry. Each
/// process has a random seed, so an attacker can't choose keys that collide. Removals move later
/// entries into the gap.
struct Table {
  /// The position of an entry: the slot of its segment, and the entry's index in the segment.
  struct Reference: Equatable {
    var segment: Int
    var entry: Int
  }

  /// The maximum number of entries in one segment.
  static let mostEntries = 1 << 24 - 1

  private(set) var count = 0
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: 16)
  private static let upperHalf: UInt64 = 0xffff_ffff_0000_0000
  private static let seed = UInt64.random(in: 0 ... .max)

  /// Returns the slot whose hash matches and whose entry satisfies `isMatch`, or `nil` if there is
  /// none.
  @inline(__always)
  func slot(of hash: UInt64, where isMatch: (Reference) -> Bool) -> Int? {
    let tag = Table.tag(hash)
    var slot = home(tag)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == tag >> 32, isMatch(self[slot]) { return slot }
      slot = next(slot)
    }
    return nil
  }

  /// Removes an entry. Returns `false` if the table doesn't contain the entry.
  mutating func remove(_ reference: Reference, of hash: UInt64) -> Bool {
    guard var hole = slot(of: hash, where: { $0 == reference }) else { return false }
    var probe = next(hole)
    while slots[probe] != 0 {
      if distance(home(slots[probe]), probe) >= distance(hole, probe) {
        slots[hole] = slots[probe]
        hole = probe
      }
      probe = next(probe)
    }
    slots[hole] = 0
    count -= 1
    return true
  }

  /// The reference in an occupied slot.
  subscript(slot: Int) -> Reference {
    get {
      Reference(segment: Int(slots[slot] >> 24 & 0xff), entry: Int(slots[slot] & 0xff_ffff) - 1)
    }
    set { slots[slot] = slots[slot] & Table.upperHalf | Table.bits(newValue) }
  }

  /// Adds an entry. The table must not contain the hash yet.
  mutating func insert(_ reference: Reference, hash: UInt64) {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    fill(Table.tag(hash) | Table.bits(reference))
    count += 1
  }

  private mutating func fill(_ word: UInt64) {
    var slot = home(word)
    while slots[slot] != 0 { slot = next(slot) }
    slots[slot] = word
  }

  /// Makes the table half as large again. It's 3/4 full, so twice the size would leave it only 3/8
  /// full.
  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: 0, count: old.count / 2 * 3)
    for word in old where word != 0 { fill(word) }
  }

  /// Returns the slot where a search for a word begins. Only the word's upper half matters.
  @inline(__always)
  private func home(_ word: UInt64) -> Int { Int(((word >> 32) &* UInt64(slots.count)) >> 32) }

  @inline(__always)
  private func next(_ slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

  private func distance(_ first: Int, _ last: Int) -> Int {
    first <= last ? last - first : last - first + slots.count
  }

  /// Returns the upper half of the mixed hash, with zeros in the lower half.
  private static func tag(_ hash: UInt64) -> UInt64 {
    let mixed = (hash ^ seed) &* 0x9e37_79b9_7f4a_7c15
    return ((mixed ^ mixed >> 29) &* 0xbf58_476d_1ce4_e5b9) & upperHalf
  }

  private static func bits(_ reference: Reference) -> UInt64 {
    UInt64(reference.segment) << 24 | UInt64(reference.entry + 1)
  }
}

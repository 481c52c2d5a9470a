/// A hash table whose keys are well-mixed hashes.
///
/// A dictionary would hash each key again, which would take longer than the rest of the lookup.
/// This table uses open addressing with linear probing, and is at most half full. Removals leave no
/// tombstones, and shrink the storage if most slots are empty. Its functions are inlinable, so that
/// other modules specialize them.
@usableFromInline
package struct HashKeyedTable<Value> {
  @usableFromInline var slots: [(hash: Int, value: Value)?] = []
  @usableFromInline package var count = 0

  @inlinable
  package init() {}

  /// The number of slots.
  package var capacity: Int { slots.count }

  /// All values, in no order.
  @inlinable package var values: [Value] { slots.compactMap { $0?.value } }

  /// All hashes, in no order.
  package var hashes: [Int] { slots.compactMap { $0?.hash } }

  @inlinable
  package subscript(hash: Int) -> Value? {
    get { count == 0 ? nil : slots[slot(of: hash)]?.value }
    set {
      guard let newValue else { return remove(hash) }
      if 2 * count >= slots.count { resize(to: max(8, 2 * slots.count)) }
      let index = slot(of: hash)
      if slots[index] == nil { count += 1 }
      slots[index] = (hash, newValue)
    }
  }

  /// Changes the value of a hash, if the table contains the hash.
  @inlinable
  package mutating func update(_ hash: Int, _ body: (inout Value) -> Void) {
    guard self[hash] != nil else { return }
    body(&slots[slot(of: hash)]!.value)  // In place, so an array in the value isn't copied.
  }

  @inlinable
  mutating func remove(_ hash: Int) {
    guard count > 0 else { return }
    var gap = slot(of: hash)
    guard slots[gap] != nil else { return }
    count -= 1
    slots[gap] = nil
    var next = after(gap)
    while let slot = slots[next] {
      if distance(from: slot.hash & (slots.count - 1), to: next) >= distance(from: gap, to: next) {
        slots.swapAt(gap, next)
        gap = next
      }
      next = after(next)
    }
    if slots.count > 64, 8 * count < slots.count { resize(to: slots.count / 2) }
  }

  @inlinable
  mutating func resize(to size: Int) {
    let old = slots
    slots = Array(repeating: nil, count: size)
    for case let entry? in old { slots[slot(of: entry.hash)] = entry }
  }

  /// Returns the slot of a hash, or the free slot in which to insert the hash.
  @inlinable
  func slot(of hash: Int) -> Int {
    var index = hash & (slots.count - 1)
    while let slot = slots[index], slot.hash != hash { index = after(index) }
    return index
  }

  @inlinable func after(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  @inlinable func distance(from one: Int, to other: Int) -> Int {
    (other - one) & (slots.count - 1)
  }
}

/// Values by a hash that is good already: a dictionary would hash it once more, which takes longer
/// than all else.
///
/// Open addressing, one step at a time, never more than half full; what is taken out leaves no gap,
/// and room that is no longer needed is given back.
struct ByHash<Value> {
  private var slots: [(hash: Int, value: Value)?] = []
  private(set) var count = 0

  /// How many there is room for.
  var room: Int { slots.count }

  /// All values, in no order.
  var values: [Value] { slots.compactMap { $0?.value } }

  subscript(hash: Int) -> Value? {
    get { count == 0 ? nil : slots[place(of: hash)]?.value }
    set {
      guard let newValue else { return remove(hash) }
      if 2 * count >= slots.count { resize(to: max(8, 2 * slots.count)) }
      let place = place(of: hash)
      if slots[place] == nil { count += 1 }
      slots[place] = (hash, newValue)
    }
  }

  private mutating func remove(_ hash: Int) {
    guard count > 0 else { return }
    var gap = place(of: hash)
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

  private mutating func resize(to size: Int) {
    let old = slots
    slots = Array(repeating: nil, count: size)
    for case let slot? in old { slots[place(of: slot.hash)] = slot }
  }

  /// Where the value of a hash is, or would be.
  private func place(of hash: Int) -> Int {
    var place = hash & (slots.count - 1)
    while let slot = slots[place], slot.hash != hash { place = after(place) }
    return place
  }

  private func after(_ place: Int) -> Int { (place + 1) & (slots.count - 1) }

  private func distance(from one: Int, to other: Int) -> Int { (other - one) & (slots.count - 1) }
}

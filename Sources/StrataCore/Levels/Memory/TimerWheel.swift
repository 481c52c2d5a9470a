/// A hierarchical timer wheel that finds expired entries without checking every entry.
///
/// There are eight wheels of 64 slots, and each slot is a time interval. One slot spans the time of
/// all 64 slots of the next lower wheel. An entry is in the widest slot that contains its
/// expiration time and hasn't begun yet. When this slot begins, the entry moves to a narrower slot,
/// which happens at most seven times. A slot of the lowest wheel, called a tick, spans 2^20
/// nanoseconds, which is about a millisecond.
/// The wheel refers to entries by their node IDs, and the level's policy lock guards all its data.
struct TimerWheel {
  /// The index of an entry's slot, and the IDs of the entry's neighbors in this slot. Each number
  /// is increased by one, because zero means that there is no slot or neighbor.
  private struct Link {
    var next: UInt32
    var previous: UInt32
    var slot: UInt32
  }

  private static let wheels = 8
  static let never = Int64.max

  /// The ID of the first entry in each slot, plus one. Zero marks an empty slot.
  private var firsts = [UInt32](repeating: 0, count: 64 * wheels)
  private var occupied = [UInt64](repeating: 0, count: wheels)
  private var chunks = [UnsafeMutableRawPointer?](repeating: nil, count: 32)
  /// The tick that the wheel has reached.
  private var elapsed: Int64 = 0

  /// The size of the wheel in bytes.
  var bytes: Int {
    let links = chunks.indices.reduce(0) {
      $0 + (chunks[$1] == nil ? 0 : (MemoryNodes.smallest << $1) * MemoryLayout<Link>.stride)
    }
    return links + firsts.count * 4
  }

  func deallocate() { for chunk in chunks { freeZeroed(chunk) } }

  /// Returns the first tick that begins after an instant.
  static func tick(after instant: TimeSource.Instant) -> Int64 {
    instant.nanoseconds == .max ? never : max(0, instant.nanoseconds >> 20 + 1)
  }

  /// Returns the tick that contains an instant.
  static func tick(of instant: TimeSource.Instant) -> Int64 { max(0, tick(after: instant) - 1) }

  /// If the wheel contains no entries, advances `elapsed` to the given tick.
  mutating func start(at tick: Int64) {
    if occupied.allSatisfy({ $0 == 0 }) { elapsed = max(elapsed, tick) }
  }

  /// Sets the expiration tick of an entry, and replaces any previous one. If memory can't be
  /// allocated, the entry isn't added to the wheel.
  mutating func schedule(_ id: UInt32, at tick: Int64) {
    unschedule(id)
    guard tick != TimerWheel.never else { return }
    let tick = max(min(tick, 1 << 46), elapsed + 1)  // Later ticks are rescheduled.
    let wheel = (63 - ((elapsed ^ tick) | 63).leadingZeroBitCount) / 6
    let slot = wheel << 6 | Int(tick >> (6 * Int64(wheel))) & 63
    guard let link = makeLink(id) else { return }
    let first = firsts[slot]
    link.pointee = Link(next: first, previous: 0, slot: UInt32(slot + 1))
    if first != 0 { self.link(first - 1).pointee.previous = id + 1 }
    firsts[slot] = id + 1
    occupied[wheel] |= 1 << UInt64(slot & 63)
  }

  /// Removes an entry from the wheel, if the wheel contains the entry.
  mutating func unschedule(_ id: UInt32) {
    guard chunks[TimerWheel.chunk(id)] != nil else { return }
    let link = link(id)
    let (next, previous, slot) = (link.pointee.next, link.pointee.previous, link.pointee.slot)
    guard slot != 0 else { return }
    if next != 0 { self.link(next - 1).pointee.previous = previous }
    if previous != 0 {
      self.link(previous - 1).pointee.next = next
    } else {
      firsts[Int(slot - 1)] = next
      if next == 0 { occupied[Int(slot - 1) >> 6] &= ~(1 << UInt64((slot - 1) & 63)) }
    }
    link.pointee.slot = 0
  }

  /// The tick at which the first occupied slot is due.
  var due: Int64 { nextSlot?.start ?? TimerWheel.never }

  /// Removes and returns an entry whose slot is due by `tick`, or returns `nil` if no slot is due.
  /// The caller checks whether the entry has expired.
  ///
  /// - Complexity: O(1).
  mutating func next(by tick: Int64) -> UInt32? {
    guard let (slot, start) = nextSlot, start <= tick else {
      elapsed = max(elapsed, tick)
      return nil
    }
    elapsed = max(elapsed, start)
    let id = firsts[slot] - 1
    unschedule(id)
    return id
  }

  /// The occupied slot with the earliest start.
  private var nextSlot: (slot: Int, start: Int64)? {
    var found: (slot: Int, start: Int64)?
    for wheel in 0..<TimerWheel.wheels where occupied[wheel] != 0 {
      let (index, shift) = (occupied[wheel].trailingZeroBitCount, 6 * Int64(wheel))
      let start = (elapsed >> (shift + 6)) << (shift + 6) | Int64(index) << shift
      if start < found?.start ?? .max { found = (wheel << 6 | index, start) }
    }
    return found
  }

  private static func chunk(_ id: UInt32) -> Int {
    57 - (UInt(id) + UInt(MemoryNodes.smallest)).leadingZeroBitCount
  }

  private func link(_ id: UInt32) -> UnsafeMutablePointer<Link> {
    let chunk = TimerWheel.chunk(id)
    let offset = Int(id) + MemoryNodes.smallest - MemoryNodes.smallest << chunk
    return chunks[chunk].unsafelyUnwrapped.assumingMemoryBound(to: Link.self) + offset
  }

  private mutating func makeLink(_ id: UInt32) -> UnsafeMutablePointer<Link>? {
    let chunk = TimerWheel.chunk(id)
    if chunks[chunk] == nil {
      chunks[chunk] = ZeroedMemory.allocate(
        MemoryNodes.smallest << chunk, of: MemoryLayout<Link>.stride,
        alignment: MemoryLayout<Link>.alignment)
    }
    return chunks[chunk] == nil ? nil : link(id)
  }
}

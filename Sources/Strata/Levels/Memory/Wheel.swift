/// When entries are over: found without looking at those that are not.
///
/// Eight wheels of 64 places each; a place of one wheel is as wide as all of the wheel before. An
/// entry lies in the widest place that has not begun, and moves to a narrower one when it begins,
/// so it moves seven times at most. Moments are ticks of 2 to the 20 nanoseconds, about a
/// millisecond. It knows entries by their number; the lock of the policy guards it.
struct Wheel {
  /// Where an entry lies, and its neighbours there; all plus one, and zero for none.
  private struct Link {
    var next: UInt32
    var previous: UInt32
    var place: UInt32
  }

  private static let wheels = 8
  static let never = Int64.max

  private var firsts = [UInt32](repeating: 0, count: 64 * wheels)  // Of each place, plus one.
  private var occupied = [UInt64](repeating: 0, count: wheels)
  private var chunks = [UnsafeMutableRawPointer?](repeating: nil, count: 32)
  /// All that was over by then has been taken out, or lies in places that are due.
  private var elapsed: Int64 = 0

  func deallocate() { for chunk in chunks { freeZeroed(chunk) } }

  /// The tick by which a moment has passed: a little later, never earlier.
  static func tick(after moment: TimeSource.Instant) -> Int64 {
    moment.nanoseconds == .max ? never : max(0, moment.nanoseconds >> 20 + 1)
  }

  /// The tick that a moment lies in.
  static func tick(of moment: TimeSource.Instant) -> Int64 { max(0, tick(after: moment) - 1) }

  /// Begins at a tick, if there is nothing in it: what lies in the past need not be gone through.
  mutating func start(at tick: Int64) {
    if occupied.allSatisfy({ $0 == 0 }) { elapsed = max(elapsed, tick) }
  }

  /// Sets when an entry is over, in place of what was set before.
  mutating func schedule(_ number: UInt32, at tick: Int64) {
    unschedule(number)
    guard tick != Wheel.never else { return }
    let tick = max(min(tick, 1 << 46), elapsed + 1)  // Longer than wheels turn: looked at again.
    let wheel = (63 - ((elapsed ^ tick) | 63).leadingZeroBitCount) / 6
    let place = wheel << 6 | Int(tick >> (6 * Int64(wheel))) & 63
    let link = makeLink(number)
    let first = firsts[place]
    link.pointee = Link(next: first, previous: 0, place: UInt32(place + 1))
    if first != 0 { self.link(first - 1).pointee.previous = number + 1 }
    firsts[place] = number + 1
    occupied[wheel] |= 1 << UInt64(place & 63)
  }

  /// Forgets an entry.
  mutating func unschedule(_ number: UInt32) {
    guard chunks[Wheel.chunk(number)] != nil else { return }
    let link = link(number)
    let (next, previous, place) = (link.pointee.next, link.pointee.previous, link.pointee.place)
    guard place != 0 else { return }
    if next != 0 { self.link(next - 1).pointee.previous = previous }
    if previous != 0 {
      self.link(previous - 1).pointee.next = next
    } else {
      firsts[Int(place - 1)] = next
      if next == 0 { occupied[Int(place - 1) >> 6] &= ~(1 << UInt64((place - 1) & 63)) }
    }
    link.pointee.place = 0
  }

  /// The tick from which on there is something to do.
  var due: Int64 { nextPlace?.start ?? Wheel.never }

  /// Takes out an entry whose place is due by `tick`, for the caller to look at; `nil` if none is.
  ///
  /// - Complexity: O(1), however many there are.
  mutating func next(by tick: Int64) -> UInt32? {
    guard let (place, start) = nextPlace, start <= tick else {
      elapsed = max(elapsed, tick)
      return nil
    }
    elapsed = max(elapsed, start)
    let number = firsts[place] - 1
    unschedule(number)
    return number
  }

  /// The place that begins, or began, first.
  private var nextPlace: (place: Int, start: Int64)? {
    var found: (place: Int, start: Int64)?
    for wheel in 0..<Wheel.wheels where occupied[wheel] != 0 {
      let (slot, shift) = (occupied[wheel].trailingZeroBitCount, 6 * Int64(wheel))
      let start = (elapsed >> (shift + 6)) << (shift + 6) | Int64(slot) << shift
      if start < found?.start ?? .max { found = (wheel << 6 | slot, start) }
    }
    return found
  }

  private static func chunk(_ number: UInt32) -> Int {
    57 - (UInt(number) + UInt(MemoryNodes.smallest)).leadingZeroBitCount
  }

  private func link(_ number: UInt32) -> UnsafeMutablePointer<Link> {
    let chunk = Wheel.chunk(number)
    let offset = Int(number) + MemoryNodes.smallest - MemoryNodes.smallest << chunk
    return chunks[chunk].unsafelyUnwrapped.assumingMemoryBound(to: Link.self) + offset
  }

  private mutating func makeLink(_ number: UInt32) -> UnsafeMutablePointer<Link> {
    let chunk = Wheel.chunk(number)
    if chunks[chunk] == nil {
      chunks[chunk] = zeroed(
        MemoryNodes.smallest << chunk, of: MemoryLayout<Link>.stride,
        alignment: MemoryLayout<Link>.alignment)
    }
    return link(number)
  }
}

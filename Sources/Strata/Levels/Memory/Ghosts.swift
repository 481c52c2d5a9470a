#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The hashes of what was evicted last, oldest first out: a ring, and a table to find them by.
struct Ghosts {
  /// From which queue something was evicted, and how many had been evicted from there before.
  struct Ghost {
    let wasMain: Bool
    let stamp: Int
  }

  private struct Place {
    let hash: UInt64
    /// The stamp, shifted by two; whether from main; and, lowest, that it is there.
    let trace: UInt64
  }

  private let ring: UnsafeMutablePointer<Place>
  private let table: UnsafeMutablePointer<UInt32>  // Places in the ring, plus one.
  private let ringMask: Int
  private let tableMask: Int
  let limit: Int
  private var count = 0
  private var first = 0
  private var end = 0

  /// - Parameter limit: The most it remembers: about 24 bytes are spent for each.
  init(limit: Int) {
    self.limit = limit
    var size = 16
    while size < limit { size *= 2 }
    ringMask = size - 1
    tableMask = limit > size / 4 * 3 ? 2 * size - 1 : size - 1
    ring = zeroed(size, of: 16).assumingMemoryBound(to: Place.self)
    table = zeroed(tableMask + 1, of: 4).assumingMemoryBound(to: UInt32.self)
  }

  func deallocate() {
    free(ring)
    free(table)
  }

  mutating func insert(_ hash: UInt64, _ ghost: Ghost) {
    while count >= limit || end - first > ringMask {
      let oldest = ring[first & ringMask]
      if oldest.trace & 1 == 1 { _ = remove(oldest.hash) }
      first += 1
    }
    let place = end & ringMask
    ring[place] = Place(
      hash: hash, trace: UInt64(ghost.stamp) << 2 | (ghost.wasMain ? 2 : 0) | 1)
    end += 1
    var slot = home(hash)
    while table[slot] != 0 {
      let other = Int(table[slot] &- 1)
      if ring[other].hash == hash {  // Keys may share a hash: the later one stays.
        ring[other] = Place(hash: 0, trace: 0)
        table[slot] = UInt32(place &+ 1)
        return
      }
      slot = (slot &+ 1) & tableMask
    }
    table[slot] = UInt32(place &+ 1)
    count += 1
  }

  mutating func remove(_ hash: UInt64) -> Ghost? {
    var slot = home(hash)
    while table[slot] != 0 {
      let place = Int(table[slot] &- 1)
      if ring[place].hash == hash {
        let trace = ring[place].trace
        ring[place] = Place(hash: 0, trace: 0)
        count -= 1
        close(gap: slot)
        return Ghost(wasMain: trace & 2 != 0, stamp: Int(trace >> 2))
      }
      slot = (slot &+ 1) & tableMask
    }
    return nil
  }

  private func home(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 20) & tableMask }

  private func close(gap: Int) {
    var gap = gap
    var next = (gap &+ 1) & tableMask
    while table[next] != 0 {
      let home = home(ring[Int(table[next] &- 1)].hash)
      if (next &- home) & tableMask >= (next &- gap) & tableMask {
        table[gap] = table[next]
        gap = next
      }
      next = (next &+ 1) & tableMask
    }
    table[gap] = 0
  }
}

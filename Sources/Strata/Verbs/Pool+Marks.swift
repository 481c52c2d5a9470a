extension Pool {
  /// A get that is being asked and has most likely an answer at once: no more than a place is kept.
  ///
  /// The key stays with the caller of the get, who does not return before the place is free again.
  @usableFromInline
  struct Mark {
    @usableFromInline var hash = 0
    @usableFromInline var id = 0  // Zero if the place is free.
    @usableFromInline var key: UnsafePointer<Key>?

    @inlinable
    init() {}
  }
}

extension Pool.State /* : marks */ {
  /// Keeps a place for a get of a key of which no other is under way; zero if that is not certain.
  @inlinable
  @inline(__always)
  mutating func mark(_ key: UnsafePointer<Key>, _ hash: Int) -> Int {
    let place = marks + (hash & 15)
    guard place.pointee.id == 0, attached.isEmpty || attached[hash] == nil else { return 0 }
    lastID &+= 1
    place.pointee.hash = hash
    place.pointee.id = lastID
    place.pointee.key = key
    return lastID
  }

  /// Frees the place of a get; false if others have met it there, or a write has.
  @inlinable
  @inline(__always)
  mutating func unmark(_ hash: Int, _ id: Int) -> Bool {
    let place = marks + (hash & 15)
    guard place.pointee.id == id else { return false }
    place.pointee.id = 0
    return true
  }

  /// Makes the get in the place of a hash a load that can be joined.
  mutating func promote(_ hash: Int) {
    let place = marks + (hash & 15)
    guard place.pointee.id != 0, let key = place.pointee.key?.pointee else { return }
    loads[place.pointee.id] = Pool.Load(key: key)
    attached[place.pointee.hash, default: []].append(place.pointee.id)
    place.pointee.id = 0
  }

  /// Frees the places of a hash, or all: who is asking there does so alone.
  mutating func unmark(_ hash: Int?) {
    for place in 0..<16 where hash == nil || marks[place].hash == hash { marks[place].id = 0 }
  }
}

extension Pool {
  /// A get that is being asked and has most likely an answer at once: no more than a place is kept.
  @usableFromInline
  struct Mark {
    @usableFromInline var hash = 0
    @usableFromInline var id = 0  // Zero if the place is free.
    @usableFromInline var key: Key?

    @inlinable init() {}
  }
}

extension Pool.State /* : marks */ {
  /// Keeps a place for a get of a key of which no other is under way; zero if that is not certain.
  @inlinable
  mutating func mark(_ key: Key, _ hash: Int) -> Int {
    let place = hash & 15
    guard marks[place].id == 0, attached.isEmpty || attached[hash] == nil else { return 0 }
    lastID &+= 1
    marks[place].hash = hash
    marks[place].id = lastID
    marks[place].key = key
    return lastID
  }

  /// Frees the place of a get; false if others have met it there, or a write has. The key comes out
  /// to be released after the lock.
  @inlinable
  mutating func unmark(_ hash: Int, _ id: Int) -> (isDone: Bool, Key?) {
    let place = hash & 15
    guard marks[place].id == id else { return (false, nil) }
    return (true, takeMark(at: place))
  }

  @inlinable
  mutating func takeMark(at place: Int) -> Key? {
    marks[place].id = 0
    return marks[place].key.take()
  }

  /// Makes the get in the place of a hash a load that can be joined.
  mutating func promote(_ hash: Int) {
    let mark = marks[hash & 15]
    guard mark.id != 0, let key = takeMark(at: hash & 15) else { return }
    loads[mark.id] = Pool.Load(key: key)
    attached[mark.hash, default: []].append(mark.id)
  }
}

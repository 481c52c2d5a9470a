import Synchronization

extension Pool {
  /// A get that is being asked and has most likely an answer at once.
  ///
  /// It lies with the caller of the get, who does not return before nobody can reach it any more:
  /// whoever takes it from its place does so, and reads it, under the lock, and a caller who does
  /// not find it there takes the lock before the end.
  @usableFromInline
  struct Mark {
    @usableFromInline let hash: Int
    @usableFromInline let key: UnsafePointer<Key>
    /// The load that it was made; zero if none.
    @usableFromInline var id = 0

    @inlinable
    init(hash: Int, key: UnsafePointer<Key>) { (self.hash, self.key) = (hash, key) }
  }

  /// Places for marks, by the hash: the address of a mark, or zero.
  @usableFromInline typealias Place = UnsafeMutablePointer<Atomic<UInt>>

  @inlinable static var places: Int { 16 }

  @inlinable
  @inline(__always)
  func place(of hash: Int) -> Place { marks + (hash & 15) }

  /// Puts a mark in its place; false if another is there, or a load of its hash that can be joined.
  ///
  /// The mark is written before the number of loads is read, and who attaches a load writes the
  /// number before it reads the place: one of the two sees the other.
  @inlinable
  @inline(__always)
  func put(_ mark: UnsafeMutablePointer<Mark>, at place: Place) -> Bool {
    let word = UInt(bitPattern: mark)
    let isFree = place.pointee.compareExchange(
      expected: 0, desired: word, ordering: .sequentiallyConsistent
    ).exchanged
    guard isFree else { return false }
    return attachedLoads.load(ordering: .sequentiallyConsistent) == 0 || isAlone(mark)
  }

  @inlinable
  func isAlone(_ mark: UnsafeMutablePointer<Mark>) -> Bool {
    state.withLock { $0.attached[mark.pointee.hash] == nil }
  }

  /// Takes a mark away; false if others have met it there, or a write has.
  @inlinable
  @inline(__always)
  func take(_ mark: UnsafeMutablePointer<Mark>, from place: Place) -> Bool {
    place.pointee.compareExchange(
      expected: UInt(bitPattern: mark), desired: 0, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Makes the get in a place a load that can be joined; or lets it go on alone if its hash is
  /// `dropped`, or all are. The caller holds the lock.
  @inlinable
  func promote(_ place: Place, _ state: inout State, dropping: (Int) -> Bool = { _ in false }) {
    attachedLoads.add(1, ordering: .sequentiallyConsistent)
    let word = place.pointee.exchange(0, ordering: .sequentiallyConsistent)
    guard let mark = UnsafeMutablePointer<Mark>(bitPattern: word), !dropping(mark.pointee.hash)
    else {
      attachedLoads.subtract(1, ordering: .sequentiallyConsistent)
      return
    }
    state.lastID += 1
    mark.pointee.id = state.lastID
    state.loads[state.lastID] = Load(mark.pointee.key.pointee)
    state.attached[mark.pointee.hash, default: []].append(state.lastID)
  }
}

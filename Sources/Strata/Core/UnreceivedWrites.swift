/// The clears and removals that a level hasn't received yet.
///
/// A queue orders an operation before the queue's owner calls the level, so another thread can call
/// the level in between. The level has *received* an operation when the level's function has
/// returned, even if the operation hasn't settled. A `clear` that exceeds its time bound also
/// counts as received. Some operations have to wait until the level has received an earlier
/// operation:
///
/// - A write to a key waits for a removal of the key. Otherwise, the removal might remove the value
///   of the write.
/// - A get that must skip the level because of a `clear` waits until the level has received the
///   `clear`. A removal that follows a `clear` also waits. Otherwise, one key would be absent while
///   the values of other keys can still be read.
///
/// This type isn't thread-safe, so the owner guards each instance with a lock.
struct UnreceivedWrites {
  private var removals = HashKeyedTable<Int>()
  private var clears: [Int] = []  // In the order of their IDs.
  private var lastReceivedClear = 0

  /// The number of stored entries.
  var count: Int { removals.count + clears.count }

  /// Returns the ID under which operations wait for the receipt of a `clear`. Other operations wait
  /// for the end of the `clear`, under the ID of the `clear`. The IDs of operations are positive,
  /// so the negated ID is unique.
  static func receipt(of clear: Int) -> Int { -clear }

  mutating func add(clear id: Int) { clears.append(id) }

  mutating func add(removal id: Int, of hash: Int) { removals[hash] = id }

  /// Returns the ID of a key's removal if the level hasn't received the removal yet, or `nil`
  /// otherwise.
  func removal(of hash: Int) -> Int? { removals[hash] }

  /// Returns the first unreceived `clear` that was ordered before a removal.
  func clear(before removal: Int) -> Int? { clears.first.flatMap { $0 < removal ? $0 : nil } }

  /// Returns the first unreceived `clear` that was ordered after a write. Returns `nil` if the
  /// level has already received another `clear` that was ordered after the write. If `write` is
  /// `nil`, returns the first unreceived `clear`.
  func clear(after write: Int?) -> Int? {
    guard let write else { return clears.first }
    return write < lastReceivedClear ? nil : clears.first { $0 > write }
  }

  /// Records that the level has received a `clear`. Returns whether the `clear` was unreceived.
  mutating func receive(clear id: Int) -> Bool {
    guard let index = clears.firstIndex(of: id) else { return false }
    clears.remove(at: index)
    lastReceivedClear = max(lastReceivedClear, id)
    return true
  }

  /// Records that the level has received a removal of a key.
  mutating func receive(removal id: Int, of hash: Int) {
    if removals[hash] == id { removals[hash] = nil }
  }
}

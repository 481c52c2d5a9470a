/// The keys whose value in one level may not be read, although the level may have one.
///
/// A write that passes its bound makes the value of its key *unknown*. A write that is in flight at
/// the call of a clear makes it *absent*. A get skips the level for such a key. The value may be
/// read again when every such write has settled. The key is removed first if a later write has
/// reached the level in between, because the late write may have replaced it, and if the late write
/// fails, because gets have already returned newer values. Empty, and without memory, as long as no
/// level hangs.
///
/// A plain value: the owner guards it with a lock.
struct UnknownValues {
  private struct Key {
    var unsettled: Set<Int> = []
    /// Whether a write has passed its bound.
    var isUnknown = false
    /// Whether the value must be removed when all writes have settled: a later write has reached the
    /// level, or will reach it first, or an unknown write has failed.
    var isOvertaken = false
    /// The number of removals in flight.
    var removals = 0
    /// The last write at the time of a failed removal. A later write makes the value known again.
    var failedRemoval: Int?
  }

  private var keys = HashKeyedTable<Key>()
  private var clears: Set<Int> = []

  /// The number of reasons to skip a level.
  var count: Int { keys.count + clears.count }

  /// Whether a get may not read the value of a key.
  func contains(_ hash: Int) -> Bool { !clears.isEmpty || keys[hash] != nil }

  /// Whether the value of a key is unknown, rather than absent.
  func isUnknown(_ hash: Int) -> Bool { !clears.isEmpty || keys[hash]?.isUnknown == true }

  /// Whether the key waits for a write.
  func isWaiting(for id: Int, of hash: Int) -> Bool { keys[hash]?.unsettled.contains(id) == true }

  /// Adds a write that has passed its bound. For `nil`, the write is of all keys.
  mutating func add(late id: Int, of hash: Int?, isOvertaken: Bool) {
    guard let hash else { return _ = clears.insert(id) }
    var key = keys[hash] ?? Key()
    key.unsettled.insert(id)
    key.isUnknown = true
    if isOvertaken { key.isOvertaken = true }
    keys[hash] = key
  }

  /// Adds a write that a clear has passed.
  mutating func add(cleared id: Int, of hash: Int) {
    var key = keys[hash] ?? Key()
    key.unsettled.insert(id)
    key.isOvertaken = true
    keys[hash] = key
  }

  /// Records that a later write reaches the level.
  mutating func overtake(_ hash: Int?) {
    guard keys.count > 0 else { return }
    for hash in hash.map({ [$0] }) ?? keys.hashes { keys[hash]?.isOvertaken = true }
  }

  /// Records that a write has settled. Returns whether the caller has to remove the key from the
  /// level, and to call `removed` when the removal has settled.
  mutating func settle(_ id: Int, of hash: Int?, succeeded: Bool) -> Bool {
    guard count > 0 else { return false }
    guard let hash else {
      clears.remove(id)
      if succeeded { for hash in keys.hashes { forgetFailure(hash, before: id) } }
      return false
    }
    guard var key = keys[hash], key.unsettled.remove(id) != nil else {
      if succeeded { forgetFailure(hash, before: id) }
      return false
    }
    if key.isUnknown && !succeeded { key.isOvertaken = true }
    let mustRemove = key.unsettled.isEmpty && key.isOvertaken
    if mustRemove { key.removals += 1 }
    keys[hash] = key.unsettled.isEmpty && key.removals == 0 ? nil : key
    return mustRemove
  }

  private mutating func forgetFailure(_ hash: Int, before id: Int) {
    guard var key = keys[hash], let last = key.failedRemoval, last < id else { return }
    key.failedRemoval = nil
    keys[hash] = key.unsettled.isEmpty && key.removals == 0 ? nil : key
  }

  /// Records that a removal has settled.
  ///
  /// - Parameter last: The ID of the last write that was called.
  mutating func removed(_ hash: Int, succeeded: Bool, last: Int) {
    guard var key = keys[hash] else { return }
    key.removals -= 1
    if !succeeded { key.failedRemoval = last }
    let isKnown = key.unsettled.isEmpty && key.removals == 0 && key.failedRemoval == nil
    keys[hash] = isKnown ? nil : key
  }
}

/// The keys for which gets must skip a level, because the level may have an older value.
///
/// A key becomes hidden if a write to it fails, is late, or expires while it's parked, or if a
/// clear overtakes the write. It stays hidden until a later write or a removal succeeds in this
/// level. When the write is late, the level may still store its value, so the key isn't removed
/// before the write has settled.
///
/// The hash `nil` stands for all keys. All keys are hidden if a clear fails, or if too many single
/// keys would be hidden.
extension CallOrder {
  struct Hidden {
    /// When an operation with this ticket or a later one succeeds, the key is no longer hidden.
    var lastWrite: Ticket = 0
    /// Whether the level may have an older value, so the key must be removed from it.
    var needsRemoval = false
    /// Whether the key counts as absent. Otherwise, it's unknown whether the level has a value.
    var isAbsent: Bool
    /// The ticket of the removal in flight, or `nil`.
    var repair: Ticket?
    /// The hidden keys with this hash.
    var keys: [HiddenKey] = []
  }

  /// A level's answer to a write, or to the removal of a hidden key.
  enum Verdict {
    case success
    /// - Parameter isRefusal: Whether the level wasn't called.
    case failure(isRefusal: Bool)
    /// The level hasn't answered within its bound, but may answer later.
    case late
  }

  /// Returns the hidden keys with a hash. The caller compares them with its own key outside the
  /// lock.
  func hiddenKeys(_ hash: Int?, in level: Int) -> [HiddenKey] { hidden[level]?[hash]?.keys ?? [] }

  /// Records a level's answer.
  ///
  /// - Parameter keys: After a success, the hidden keys that were written or removed. Otherwise,
  ///   the key that must be hidden.
  mutating func answered(
    _ verdict: Verdict, _ ticket: Ticket, _ hash: Int?, in level: Int, _ keys: [HiddenKey]
  ) {
    switch verdict {
    case .success: succeeded(ticket, hash, in: level, keys)
    case .failure(let isRefusal):
      hide(hash, in: level, ticket, needsRemoval: true, isAbsent: isRefusal, keys)
    case .late: hide(hash, in: level, ticket, needsRemoval: hash == nil, isAbsent: false, keys)
    }
  }

  private mutating func succeeded(
    _ ticket: Ticket, _ hash: Int?, in level: Int, _ keys: [HiddenKey]
  ) {
    guard hidden[level] != nil else { return }
    if var key = hidden[level]?[hash] {
      if key.repair == ticket { key.repair = nil }
      let isShown = key.lastWrite <= ticket
      if isShown {
        dropped += keys
        key.needsRemoval = true
        key.keys.removeAll { hiddenKey in keys.contains { $0 === hiddenKey } }
      }
      hidden[level]?[hash] = isShown && key.keys.isEmpty ? nil : key
    }
    if hash == nil {  // Keys of turns that the clear has outrun stay hidden.
      for (hash, key) in hidden[level] ?? [:] where hash != nil && key.lastWrite < ticket {
        dropped += key.keys
        hidden[level]?[hash] = nil
      }
    }
    if hidden[level]?.isEmpty == true { hidden[level] = nil }
  }

  mutating func hide(
    _ hash: Int?, in level: Int, _ ticket: Ticket, needsRemoval: Bool, isAbsent: Bool,
    _ keys: [HiddenKey]
  ) {
    // If `keys` is empty and the key isn't hidden, this is the late failure of a removal. A later
    // success has already made the key visible again, so nothing is left to do.
    guard hidden[level]?[hash] != nil || hash == nil || !keys.isEmpty else { return }
    var key = hidden[level]?[hash] ?? Hidden(isAbsent: isAbsent)
    let isRepair = key.repair == ticket
    if isRepair { key.repair = nil } else { key.isAbsent = key.isAbsent && isAbsent }
    key.keys += keys.filter { hiddenKey in !key.keys.contains { $0 === hiddenKey } }
    if ticket >= key.lastWrite {
      (key.lastWrite, key.needsRemoval) = (ticket, needsRemoval || isRepair)
    }
    hidden[level, default: [:]][hash] = key
    guard max(hidden[level]?.count ?? 0, key.keys.count) > capacity else { return }
    for key in hidden[level]?.values ?? [:].values { dropped += key.keys }
    hidden[level] = [nil: Hidden(lastWrite: versions.now, needsRemoval: true, isAbsent: false)]
  }

  /// Begins the removal of a key, or of all keys, from the levels in which it's hidden, unless
  /// another operation prevents this. Like a write, the removal takes the turn of its key.
  ///
  /// - Parameter only: The only level to repair, or `nil` for all levels.
  mutating func repair(
    _ hash: Int?, in only: Int? = nil
  ) -> (ticket: Ticket, levels: [(level: Int, keys: [HiddenKey])])? {
    guard !hidden.isEmpty, hash.map(isAtRest) ?? true else { return nil }
    let due = (only.map { $0..<$0 + 1 } ?? levels).filter { level in
      hidden[level]?[hash].map { $0.needsRemoval && $0.repair == nil } == true
    }
    guard !due.isEmpty else { return nil }
    let ticket = beginRepair(hash, in: due)
    for level in due { hidden[level]?[hash]?.repair = ticket }
    return (ticket, due.map { ($0, hiddenKeys(hash, in: $0)) })
  }
}

/// The keys that gets must skip in a level, because the level may have an older value.
///
/// A key becomes hidden if a write to it fails, is late, or has expired while it was parked, or if a
/// clear has passed it. It stays
/// hidden until a later write or a removal succeeds in that level. If the write is late, the level
/// may still store its value, so the removal isn't owed before the write has settled.
///
/// The hash `nil` stands for all keys. They are hidden if a clear fails, or if too many keys would be
/// hidden.
extension CallOrder {
  struct Hidden {
    /// An operation with this ticket or a later one shows the key again.
    var last: Ticket = 0
    /// Whether a removal is owed.
    var owes = false
    /// Whether the key counts as absent, rather than as unknown.
    var isAbsent: Bool
    /// The removal in flight.
    var repair: Ticket?
    /// The hidden keys with this hash.
    var owners: [Owner] = []
  }

  /// A level's answer to a write, or to the removal of a hidden key.
  enum Answer {
    case success
    /// - Parameter isRefusal: Whether the level wasn't called.
    case failure(isRefusal: Bool)
    /// The level hasn't answered within its bound. It may answer later.
    case late
  }

  /// The owners of a hidden key. The caller compares them with its own key outside the lock.
  func owners(_ hash: Int?, in level: Int) -> [Owner] { hidden[level]?[hash]?.owners ?? [] }

  /// Records a level's answer.
  ///
  /// - Parameter owners: After a success, the hidden keys that were written or removed. Otherwise, the
  ///   key that must be hidden.
  mutating func answered(
    _ answer: Answer, _ ticket: Ticket, _ hash: Int?, in level: Int, _ owners: [Owner]
  ) {
    switch answer {
    case .success: succeeded(ticket, hash, in: level, owners)
    case .failure(let isRefusal):
      hide(hash, in: level, ticket, owes: true, isAbsent: isRefusal, owners)
    case .late: hide(hash, in: level, ticket, owes: hash == nil, isAbsent: false, owners)
    }
  }

  private mutating func succeeded(
    _ ticket: Ticket, _ hash: Int?, in level: Int, _ owners: [Owner]
  ) {
    guard hidden[level] != nil else { return }
    if var key = hidden[level]?[hash] {
      if key.repair == ticket { key.repair = nil }
      let isShown = key.last <= ticket
      if isShown {
        dropped += owners
        key.owes = true
        key.owners.removeAll { owner in owners.contains { $0 === owner } }
      }
      hidden[level]?[hash] = isShown && key.owners.isEmpty ? nil : key
    }
    if hash == nil {  // Keys that the clear has outrun stay hidden.
      for (hash, key) in hidden[level] ?? [:] where hash != nil && key.last < ticket {
        dropped += key.owners
        hidden[level]?[hash] = nil
      }
    }
    if hidden[level]?.isEmpty == true { hidden[level] = nil }
  }

  mutating func hide(
    _ hash: Int?, in level: Int, _ ticket: Ticket, owes: Bool, isAbsent: Bool, _ owners: [Owner]
  ) {
    // Without an owner, a removal has failed whose key a later success has shown.
    guard hidden[level]?[hash] != nil || hash == nil || !owners.isEmpty else { return }
    var key = hidden[level]?[hash] ?? Hidden(isAbsent: isAbsent)
    let isRepair = key.repair == ticket
    if isRepair { key.repair = nil } else { key.isAbsent = key.isAbsent && isAbsent }
    key.owners += owners.filter { owner in !key.owners.contains { $0 === owner } }
    if ticket >= key.last { (key.last, key.owes) = (ticket, owes || isRepair) }
    hidden[level, default: [:]][hash] = key
    guard max(hidden[level]?.count ?? 0, key.owners.count) > capacity else { return }
    for key in hidden[level]?.values ?? [:].values { dropped += key.owners }
    hidden[level] = [nil: Hidden(last: versions.now, owes: true, isAbsent: false)]
  }

  /// Begins the removal of a key, or of all keys, from the levels that owe it, if no other operation
  /// prevents it. The removal takes the turn of its key like a write.
  ///
  /// - Parameter only: The only level to repair, or `nil` for all levels.
  mutating func repair(
    _ hash: Int?, in only: Int? = nil
  ) -> (ticket: Ticket, levels: [(level: Int, owners: [Owner])])? {
    guard !hidden.isEmpty, hash.map(isAtRest) ?? true else { return nil }
    let due = (only.map { $0..<$0 + 1 } ?? levels).filter { level in
      hidden[level]?[hash].map { $0.owes && $0.repair == nil } == true
    }
    guard !due.isEmpty else { return nil }
    let ticket = beginRepair(hash, in: due)
    for level in due { hidden[level]?[hash]?.repair = ticket }
    return (ticket, due.map { ($0, owners(hash, in: $0)) })
  }
}

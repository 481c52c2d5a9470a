/// The keys that gets must skip in a level, because the level may have an older value.
///
/// A key becomes hidden if a write to it fails or is late, or if a clear has passed it. It stays
/// hidden until a later write or a removal succeeds in that level. If the write is late, the level
/// may still store its value, so the removal isn't owed before the write has settled.
extension CallOrder {
  struct Hidden {
    /// An operation with this ticket or a later one shows the key again.
    var last: Ticket
    /// Whether a removal is owed.
    var owes: Bool
    /// Whether the key counts as absent, rather than as unknown.
    var isAbsent = false
    /// The removal in flight.
    var repair: Ticket?
    /// The hidden keys with this hash.
    var owners: [Owner] = []
  }

  struct HiddenLevel {
    var keys: [Int: Hidden] = [:]
    /// Not `nil` if all keys are hidden, because a clear failed or too many keys were hidden.
    var all: Hidden?

    var isEmpty: Bool { all == nil && keys.isEmpty }
  }

  struct HiddenKeys {
    private(set) var levels: [Int: HiddenLevel] = [:]
    /// Owners that the caller must release outside the lock.
    var dropped: [Owner] = []
    private(set) var capacity = 10_000

    init(capacity: Int = 10_000) { self.capacity = capacity }

    mutating func takeDropped() -> [Owner] {
      guard !dropped.isEmpty else { return [] }
      defer { dropped = [] }
      return dropped
    }

    var isEmpty: Bool { levels.isEmpty }

    func isEmpty(in level: Int) -> Bool { levels.isEmpty || levels[level] == nil }

    func isAbsent(_ hash: Int, in level: Int) -> Bool? {
      levels.isEmpty ? nil : levels[level].flatMap { $0.all ?? $0.keys[hash] }?.isAbsent
    }

    subscript(level: Int) -> HiddenLevel {
      get { levels[level] ?? HiddenLevel() }
      set { levels[level] = newValue.isEmpty ? nil : newValue }
    }

    subscript(level: Int, hash: Int) -> Hidden? {
      get { levels[level]?.keys[hash] }
      set {  // Changes the dictionary in place.
        levels[level, default: HiddenLevel()].keys[hash] = newValue
        if levels[level]?.isEmpty == true { levels[level] = nil }
      }
    }
  }

  /// Whether the write with this ticket is the last one that has hidden its key, or all keys.
  func isHidden(_ hash: Int?, by ticket: Ticket, in level: Int) -> Bool {
    let one = if let hash { hidden[level, hash] } else { hidden[level].all }
    return one?.last == ticket
  }

  /// The owners of a hidden key. The caller compares them with its own key outside the lock.
  func owners(_ hash: Int, in level: Int) -> [Owner] { hidden[level, hash]?.owners ?? [] }

  /// Records that a level has succeeded with a write or a removal of a key.
  ///
  /// - Parameter shown: For each owner, whether it is the key that was written or removed. If another
  ///   key with the same hash has been hidden since the comparison, all of them stay hidden.
  mutating func succeeded(_ ticket: Ticket, _ hash: Int, in level: Int, shows shown: [Bool]) {
    guard var key = hidden[level, hash] else { return }
    if key.repair == ticket { key.repair = nil }
    if key.last <= ticket {
      key.owes = true
      if key.owners.count == shown.count {
        for place in shown.indices.reversed() where shown[place] {
          hidden.dropped.append(key.owners.remove(at: place))
        }
      }
    }
    hidden[level, hash] = key.owners.isEmpty ? nil : key
  }

  /// Records that a level has succeeded with a clear. Keys that the clear has outrun stay hidden.
  mutating func cleared(_ ticket: Ticket, in level: Int) {
    guard !hidden.isEmpty(in: level) else { return }
    var one = hidden[level]
    if let all = one.all, all.last <= ticket { one.all = nil }
    if one.all?.repair == ticket { one.all?.repair = nil }
    for (hash, key) in one.keys where key.last < ticket {
      hidden.dropped += key.owners
      one.keys[hash] = nil
    }
    hidden[level] = one
  }

  /// Records that a write to a level has failed, or is late with its answer. A late write reports
  /// again when it settles.
  ///
  /// - Parameters:
  ///   - owner: The key, or `nil` if its owner is known already.
  ///   - isAbsent: Whether the level has refused the write without a call.
  mutating func failed(
    _ ticket: Ticket, _ hash: Int?, in level: Int, isLate: Bool, isAbsent: Bool = false,
    _ owner: Owner?
  ) {
    guard let hash else {
      var all = hidden[level].all ?? Hidden(last: 0, owes: true)
      all.last = max(ticket, all.last)
      if all.repair == ticket { all.repair = nil }
      return hidden[level].all = all
    }
    hide(hash, in: level, ticket, owes: !isLate, isAbsent: isAbsent, owner)
  }

  /// Records that a removal has failed or is late. The next get begins another one.
  mutating func removalFailed(_ ticket: Ticket, _ hash: Int, in level: Int) {
    guard var key = hidden[level, hash] else { return }  // A later success has shown the key.
    if key.repair == ticket { key.repair = nil }
    if ticket >= key.last { (key.last, key.owes) = (ticket, true) }
    hidden[level, hash] = key
  }

  mutating func hide(
    _ hash: Int, in level: Int, _ ticket: Ticket, owes: Bool, isAbsent: Bool = false,
    _ owner: Owner?
  ) {
    var key = hidden[level, hash] ?? Hidden(last: 0, owes: false, isAbsent: isAbsent)
    if let owner { key.owners.append(owner) }
    key.isAbsent = key.isAbsent && isAbsent
    if ticket >= key.last { (key.last, key.owes) = (ticket, owes) }
    hidden[level, hash] = key
    guard hidden[level].keys.count > hidden.capacity || key.owners.count > hidden.capacity else {
      return
    }
    hidden.dropped += hidden[level].keys.values.flatMap(\.owners)
    hidden[level] = HiddenLevel(all: Hidden(last: versions.now, owes: true))
  }

  /// Begins the removal of a key from the levels that owe it, if no other operation prevents it.
  ///
  /// - Parameter only: The only level to repair, or `nil` for all levels.
  mutating func repair(
    _ hash: Int, in only: Int? = nil
  ) -> (ticket: Ticket, levels: [(level: Int, owners: [Owner])])? {
    guard !hidden.isEmpty, isAtRest(hash) else { return nil }
    let levels = only.map { [$0] } ?? Array(hidden.levels.keys)
    let due = levels.filter { level in
      hidden[level, hash].map { $0.owes && $0.repair == nil } == true
    }
    guard !due.isEmpty else { return nil }
    let ticket = beginRepair(hash)
    return (
      ticket,
      due.sorted().map { level in
        hidden[level, hash]?.repair = ticket
        return (level, owners(hash, in: level))
      }
    )
  }

  /// Begins the clear of a level in which all keys are hidden.
  mutating func repairAll(_ level: Int) -> Ticket? {
    guard let all = hidden[level].all, all.repair == nil else { return nil }
    let ticket = beginRepair(nil)
    hidden[level].all?.repair = ticket
    return ticket
  }
}

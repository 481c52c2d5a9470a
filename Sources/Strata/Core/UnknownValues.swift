/// The keys whose values must not be read from one level, even if the level has values for them.
///
/// A write that exceeds its bound makes the value of its key *unknown*. A clear makes the value of
/// a key *absent* if a write of that key is in flight. A get skips the level for an unknown or
/// absent value until all of these writes have settled. The level then needs a *removal* of the key
/// in two cases. If a later write has reached the level in the meantime, the late write may have
/// replaced the later value. If the late write has failed, the level may still have a value that is
/// older than the values that gets have returned since. A clear that exceeds its bound makes all
/// values unknown, and all keys must then be removed from the level.
///
/// Gets skip the level until the removal, or a later write of the same keys, has succeeded. If a
/// removal fails, the next get repeats it. A removal that takes effect late does no harm.
///
/// This structure is empty, and takes no memory, unless a level hangs. Each operation takes
/// constant time. This value isn't thread-safe. The owner guards it with a lock.
struct UnknownValues {
  private struct LateWrites {
    var unsettled: Set<Int> = []
    /// Whether a write has exceeded its bound.
    var isUnknown = false
    /// Whether the key must be removed after all of the writes have settled. True if a later write
    /// has reached the level, or will reach it before these writes do. Also true if a write that
    /// exceeded its bound has failed.
    var isOvertaken = false
  }

  private struct Removal {
    /// The last write before the removal became necessary. A later write makes the removal
    /// unnecessary.
    var last: Int
    var isUnknown: Bool
    /// The ID of the removal in flight.
    var attempt: Int?
  }

  private var writes = HashKeyedTable<LateWrites>()
  private var removals = HashKeyedTable<Removal>()
  private var removalOfAll: Removal?
  /// The last write of all keys, which has overtaken every earlier write.
  private(set) var lastClear = 0
  private var lastWrite = 0
  private var lastRemoval = 0

  /// The number of writes that have exceeded their bound so far.
  private(set) var lateWrites = 0

  /// The number of reasons to skip the level.
  var count: Int { writes.count + removals.count + (removalOfAll == nil ? 0 : 1) }

  /// Whether a get must not read the value of a key.
  func contains(_ hash: Int) -> Bool {
    removalOfAll != nil || writes[hash] != nil || removals[hash] != nil
  }

  /// Whether the value of a key is unknown, rather than absent.
  func isUnknown(_ hash: Int) -> Bool {
    removalOfAll != nil || writes[hash]?.isUnknown == true || removals[hash]?.isUnknown == true
  }

  /// Whether the key's value can't be read until a given write has settled.
  func isWaiting(for id: Int, of hash: Int) -> Bool { writes[hash]?.unsettled.contains(id) == true }

  /// Adds a write that has exceeded its bound. If `hash` is `nil`, the write affects all keys.
  mutating func add(late id: Int, of hash: Int?, isOvertaken: Bool) {
    lateWrites += 1
    guard let hash else {
      let last = max(id - 1, removalOfAll?.last ?? 0)
      removalOfAll = Removal(last: last, isUnknown: true, attempt: removalOfAll?.attempt)
      return
    }
    var late = writes[hash] ?? LateWrites()
    late.unsettled.insert(id)
    late.isUnknown = true
    if isOvertaken { late.isOvertaken = true }
    writes[hash] = late
  }

  /// Adds a write that a clear has overtaken.
  mutating func add(cleared id: Int, of hash: Int) {
    var late = writes[hash] ?? LateWrites()
    late.unsettled.insert(id)
    late.isOvertaken = true
    writes[hash] = late
  }

  /// Records that a later write reaches the level.
  mutating func overtake(_ hash: Int?, by id: Int) {
    lastWrite = id
    guard let hash else { return lastClear = id }
    if writes.count > 0 { writes[hash]?.isOvertaken = true }
  }

  /// Records that a write has settled. Returns whether the level needs a removal, which the caller
  /// should begin.
  mutating func settle(_ id: Int, of hash: Int?, succeeded: Bool) -> Bool {
    guard count > 0 else { return false }
    guard let hash, var late = writes[hash], late.unsettled.remove(id) != nil else {
      if succeeded { replaceRemoval(of: hash, by: id) }
      return hash == nil && removalOfAll != nil
    }
    if id < lastClear || late.isUnknown && !succeeded { late.isOvertaken = true }
    writes[hash] = late.unsettled.isEmpty ? nil : late
    guard late.unsettled.isEmpty && late.isOvertaken else {
      if succeeded { replaceRemoval(of: hash, by: id) }
      return false
    }
    lastRemoval = lastWrite
    removals[hash] = Removal(
      last: lastWrite, isUnknown: late.isUnknown || removals[hash]?.isUnknown == true,
      attempt: removals[hash]?.attempt)
    return true
  }

  /// Discards the removals that a later write makes unnecessary.
  private mutating func replaceRemoval(of hash: Int?, by id: Int) {
    if let hash {
      if let removal = removals[hash], removal.last < id { removals[hash] = nil }
      return
    }
    if let removal = removalOfAll, removal.last < id { removalOfAll = nil }
    // A removal that was added after this clear belongs to a write that was in flight during the
    // clear, so the level still needs that removal.
    if lastRemoval < id { removals = HashKeyedTable() }
  }

  /// Begins a removal of a key, or of all keys. Returns `nil` if the level doesn't need a removal,
  /// or if a removal is already in flight.
  mutating func beginRemoval(_ hash: Int?, _ id: Int) -> (id: Int, isOfAll: Bool)? {
    if removalOfAll != nil {
      guard removalOfAll?.attempt == nil else { return nil }
      removalOfAll?.attempt = id
    } else {
      guard let hash, writes[hash] == nil, var removal = removals[hash], removal.attempt == nil
      else { return nil }
      removal.attempt = id
      removals[hash] = removal
    }
    lastWrite = id
    return (id, removalOfAll != nil)
  }

  /// Records that a removal has settled.
  mutating func endRemoval(_ id: Int, of hash: Int?, succeeded: Bool) {
    if let hash {
      if removals[hash]?.attempt == id { removals[hash]?.attempt = nil }
    } else if removalOfAll?.attempt == id {
      removalOfAll?.attempt = nil
    }
    if succeeded { replaceRemoval(of: hash, by: id) }
  }
}

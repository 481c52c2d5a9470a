/// The keys whose values must not be read from a particular level, even if that level has values
/// for these keys.
///
/// If a write exceeds its time bound, the value of its key is marked as *unknown* until the write
/// settles. If a write is in flight during a `clear`, the value of the write's key is marked as
/// *absent* until the write settles. A get of a key skips the level while that key's value is
/// marked as unknown or absent.
///
/// When a write settles after its time bound, the level may need a *removal*: an operation that
/// removes the key. If a `clear` begins during a write, the write may store its value after the
/// `clear`, so the level needs a removal of the write's key. A write that settles after its time
/// bound may have replaced the value of a newer write. If a write fails after its time bound, the
/// level may still have an outdated value. A `clear` that exceeds its time bound makes all values
/// unknown, so all keys must be removed from the level.
///
/// If a key must be removed from the level, gets of the key skip the level until the removal or a
/// later write of the key succeeds. If a removal fails, the next get of the key retries the
/// removal. A removal that takes effect late does no harm, because it can only cause a miss.
///
/// This structure allocates memory only if a write exceeds its time bound or overlaps a `clear`.
/// Otherwise, this structure is empty. Each operation takes constant time. This type isn't
/// thread-safe, so the owner guards each instance with a lock.
struct UnknownValues {
  private struct LateWrites {
    var unsettled: Set<Int> = []
    /// Whether any of the key's writes has exceeded its time bound.
    var isUnknown = false
    /// Whether the key must be removed from the level after all writes in `unsettled` have settled.
    /// The removal is necessary if a newer write to the key or a `clear` begins while a write in
    /// `unsettled` is still in flight. If a write exceeds its time bound and then fails, the
    /// removal is also necessary, because the level may have an outdated value.
    var isOvertaken = false
  }

  private struct Removal {
    /// If a write whose ID is higher than `last` succeeds, the removal is unnecessary. When the
    /// removal of a single key becomes necessary, `last` is set to the ID of the level's most
    /// recent write or removal.
    var last: Int
    var isUnknown: Bool
    /// The ID of the in-flight removal, or `nil` if no removal is in flight.
    var attempt: Int?
  }

  private var writes = HashKeyedTable<LateWrites>()
  private var removals = HashKeyedTable<Removal>()
  private var removalOfAll: Removal?
  /// The ID of the last `clear`. Writes with IDs below `lastClear` are outdated.
  private(set) var lastClear = 0
  private var lastWrite = 0
  private var lastRemoval = 0

  /// The number of writes that have exceeded their time bound so far.
  private(set) var lateWrites = 0

  /// The number of stored entries. If the number is zero, no get has to skip the level.
  var count: Int { writes.count + removals.count + (removalOfAll == nil ? 0 : 1) }

  /// Whether gets must skip the level for the key with this hash.
  func contains(_ hash: Int) -> Bool {
    removalOfAll != nil || writes[hash] != nil || removals[hash] != nil
  }

  /// Whether the value of a key is unknown, rather than absent.
  func isUnknown(_ hash: Int) -> Bool {
    removalOfAll != nil || writes[hash]?.isUnknown == true || removals[hash]?.isUnknown == true
  }

  /// Whether gets of the key skip the level until a given write has settled.
  func isWaiting(for id: Int, of hash: Int) -> Bool { writes[hash]?.unsettled.contains(id) == true }

  /// Adds a write that has exceeded its time bound. If `hash` is `nil`, the write affects all keys.
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

  /// Adds an in-flight write that began before the last `clear`.
  mutating func add(cleared id: Int, of hash: Int) {
    var late = writes[hash] ?? LateWrites()
    late.unsettled.insert(id)
    late.isOvertaken = true
    writes[hash] = late
  }

  /// Records that a new write overtakes the earlier writes to a key, or to all keys if `hash` is
  /// `nil`.
  mutating func overtake(_ hash: Int?, by id: Int) {
    lastWrite = id
    guard let hash else { return lastClear = id }
    if writes.count > 0 { writes[hash]?.isOvertaken = true }
  }

  /// Records that a write has settled. Returns whether the caller should begin a removal in the
  /// level.
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

  /// Discards the removals that are unnecessary because a newer write has succeeded.
  private mutating func replaceRemoval(of hash: Int?, by id: Int) {
    if let hash {
      if let removal = removals[hash], removal.last < id { removals[hash] = nil }
      return
    }
    if let removal = removalOfAll, removal.last < id { removalOfAll = nil }
    // A removal that was added after the `clear` began is still necessary, because a write may have
    // stored its value after the `clear`.
    if lastRemoval < id { removals = HashKeyedTable() }
  }

  /// Begins a removal of a key, or of all keys. Returns `nil` if the level doesn't need a removal,
  /// or if a removal is already in flight.
  mutating func beginRemoval(_ hash: Int?, _ id: Int) -> WriteQueue.Removal? {
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
    return WriteQueue.Removal(id: id, isOfAll: removalOfAll != nil)
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

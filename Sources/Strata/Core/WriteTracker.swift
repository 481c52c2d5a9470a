/// The gets in flight of each key, and whether a write has overtaken them.
///
/// A write moves the version when it begins and when it ends. A get that is in flight at that time
/// is *overtaken*: it may have read the older value, so its value isn't stored. State for a key
/// exists only while one of its operations is in flight. Keys with equal hashes share their state,
/// which may cost a back-fill but never changes an answer.
@usableFromInline
package struct WriteTracker {
  /// A get in flight.
  @usableFromInline
  package struct Get: Sendable {
    @usableFromInline let hash: Int
    fileprivate let version: UInt
    fileprivate let number: UInt
  }

  private struct KeyActivity {
    let since: UInt
    var lastWrite: UInt = 0
    var lastBackFill: UInt = 0  // The number of the newest get whose value was stored.
    var gets = 0
    var writes = 0
  }

  private(set) var version: UInt = 0
  private var keys = HashKeyedTable<KeyActivity>()
  private var recentWrites: [Int]  // Hashes, so that writes of other keys don't overtake a get.
  private var lastClear: UInt = 0
  private var clears = 0
  private var lastGet: UInt = 0

  /// - Parameter recentWrites: The number of writes whose keys are remembered for `begin(_:seen:)`.
  init(recentWrites count: Int = 64) { recentWrites = Array(repeating: 0, count: count) }

  /// Begins a get that a write in flight doesn't overtake before it ends.
  mutating func begin(_ hash: Int) -> Get {
    begin(hash, keys[hash] ?? KeyActivity(since: version))
  }

  /// Begins a get that has seen `version` earlier. Returns `nil` if a write of its key is in
  /// flight, or has begun or ended since.
  mutating func begin(_ hash: Int, seen: UInt) -> Get? {
    guard clears == 0, lastClear <= seen, version - seen <= UInt(recentWrites.count) else {
      return nil
    }
    let key = keys[hash] ?? KeyActivity(since: version)
    guard key.writes == 0, !wasWritten(hash, since: seen) else { return nil }
    return begin(hash, key)
  }

  private mutating func begin(_ hash: Int, _ activity: KeyActivity) -> Get {
    var key = activity
    key.gets += 1
    keys[hash] = key
    lastGet += 1
    return Get(hash: hash, version: version, number: lastGet)
  }

  mutating func end(_ get: Get) {
    guard var key = keys[get.hash] else { return }
    key.gets -= 1
    keys[get.hash] = key.gets == 0 && key.writes == 0 ? nil : key
  }

  /// Whether no write of its key has begun or ended since the get began.
  func isCurrent(_ get: Get) -> Bool {
    keys[get.hash].map { isCurrent(get, $0) } ?? false
  }

  private func isCurrent(_ get: Get, _ key: KeyActivity) -> Bool {
    key.since <= get.version && key.lastWrite <= get.version && lastClear <= get.version
  }

  /// Whether the value of a get may be stored. It may not if a later get's value has been stored.
  mutating func beginBackFill(_ get: Get) -> Bool {
    guard var key = keys[get.hash], isCurrent(get, key), key.lastBackFill <= get.number else {
      return false
    }
    // A single get in flight has no other get to overtake.
    guard key.gets > 1, key.lastBackFill < get.number else { return true }
    key.lastBackFill = get.number
    keys[get.hash] = key
    return true
  }

  /// Begins a write of a key, or of all keys if `hash` is `nil`.
  mutating func beginWrite(_ hash: Int?) { moveVersion(hash, writes: 1) }

  /// Ends a write. A get that began during the write may have read the older value.
  mutating func endWrite(_ hash: Int?) { moveVersion(hash, writes: -1) }

  private mutating func moveVersion(_ hash: Int?, writes: Int) {
    version += 1
    guard let hash else {
      clears += writes
      lastClear = version
      return
    }
    if !recentWrites.isEmpty { recentWrites[Int(version % UInt(recentWrites.count))] = hash }
    var key = keys[hash] ?? KeyActivity(since: version)
    key.lastWrite = version
    key.writes += writes
    keys[hash] = key.gets == 0 && key.writes == 0 ? nil : key
  }

  private func wasWritten(_ hash: Int, since seen: UInt) -> Bool {
    guard seen < version else { return false }
    return (seen + 1...version).contains {
      recentWrites[Int($0 % UInt(recentWrites.count))] == hash
    }
  }
}

/// A record of writes, which tells whether a key has been written since a version *v*.
///
/// Each change gets the next version, and a fixed number of the last changes is remembered. For
/// keys that are being written or watched, the answer is exact. It's also exact if all changes
/// since version *v* are remembered. Otherwise, the answer is `true`, to be safe: if it's wrong,
/// one value isn't back-filled, or one get doesn't join a load.
///
/// Callers pass hashes instead of keys, so no user code runs while the owner's lock is held. This
/// type isn't thread-safe, so its owner guards it with a lock.
@usableFromInline
package struct KeyVersions {
  /// The number of changes so far.
  @usableFromInline package typealias Version = UInt64

  package struct Key {
    var last: Version
    /// The version of the last write or back-fill that has begun while this record existed.
    var lastWrite: Version = 0
    /// The number of writes in flight.
    var open = 0
    /// The number of loads in flight whose values will replace the stored value.
    var loads = 0
    /// The number of reads that need an exact answer.
    var watchers = 0
  }

  private(set) package var now: Version = 0
  private(set) var lastClear: Version = 0
  private(set) var openClears = 0
  private(set) package var keys = HashKeyedTable<Key>()
  /// The hashes of the last changes. The change with version *v* is at the index *v* modulo the
  /// array's size.
  private(set) var recent: [Int]

  /// - Parameter changes: The number of changes to remember, which must be a power of two.
  package init(remembering changes: Int = 1_024) { recent = Array(repeating: 0, count: changes) }

  /// Returns whether a key may have been written since a version.
  package func isWritten(_ hash: Int, since version: Version) -> Bool {
    if lastClear > version { return true }
    if let key = keys[hash] { return key.last > version }
    guard now > version else { return false }
    guard now - version <= recent.count else { return true }
    return (version + 1...now).contains { recent[place($0)] == hash }
  }

  private func place(_ version: Version) -> Int {
    Int(truncatingIfNeeded: version) & (recent.count - 1)
  }

  /// Whether a write to a key or to all keys is in flight, or a load whose value will replace the
  /// key's value.
  func isOpen(_ hash: Int) -> Bool {
    openClears > 0 || keys[hash].map { $0.open + $0.loads > 0 } ?? false
  }

  /// Returns a new version for an operation that changes no value.
  mutating func tick() -> Version {
    now += 1
    recent[place(now)] = 0
    return now
  }

  /// Records that a key has changed, or all keys if `hash` is `nil`.
  @discardableResult
  package mutating func change(_ hash: Int?) -> Version {
    now += 1
    recent[place(now)] = hash ?? 0
    guard let hash else {
      lastClear = now
      return now
    }
    keys.update(hash) { $0.last = now }
    return now
  }

  /// Records a back-fill. It counts as a change, so that no older load is stored after it.
  mutating func fill(_ hash: Int) -> Version {
    change(hash)
    keys.update(hash) { $0.lastWrite = now }
    return now
  }

  /// Begins a write. A read that overlaps the write may have found the old or the new value. So the
  /// write counts as a change both when it begins and when it ends.
  mutating func begin(_ hash: Int?) -> Version {
    change(hash)
    guard let hash else {
      openClears += 1
      return now
    }
    var key = keys[hash] ?? Key(last: now)
    key.open += 1
    key.lastWrite = now
    keys[hash] = key
    return now
  }

  /// Whether no write to a watched key, and no back-fill of it, has begun since the write with this
  /// version.
  func isLast(_ version: Version, of hash: Int) -> Bool {
    lastClear < version && keys[hash]?.lastWrite == version
  }

  mutating func end(_ hash: Int?) {
    change(hash)
    guard let hash else { return openClears -= 1 }
    release(hash) { $0.open -= 1 }
  }

  /// Begins a load whose value will replace the value of a key. It counts as a change, so older
  /// loads are outdated.
  mutating func beginLoad(_ hash: Int) -> Version {
    change(hash)
    var key = keys[hash] ?? Key(last: now)
    key.loads += 1
    keys[hash] = key
    return now
  }

  /// Ends a load whose value replaces the value of a key. Returns `true` if no write is in flight,
  /// and no write or other such load has begun since.
  mutating func endLoad(_ hash: Int, since version: Version) -> Bool {
    let isLast = openClears == 0 && keys[hash]?.open == 0 && !isWritten(hash, since: version)
    release(hash) { $0.loads -= 1 }
    return isLast
  }

  /// Makes the answers for a key exact until `unwatch` is called. Returns `false`, and does
  /// nothing, if the key may have been written since the given version.
  package mutating func watch(_ hash: Int, since version: Version) -> Bool {
    guard !isWritten(hash, since: version) else { return false }
    var key = keys[hash] ?? Key(last: version)
    key.watchers += 1
    keys[hash] = key
    return true
  }

  /// Makes the answers for a key exact until `unwatch` is called. Returns the current version.
  package mutating func watch(_ hash: Int) -> Version {
    var key = keys[hash] ?? Key(last: now)
    key.watchers += 1
    keys[hash] = key
    return now
  }

  package mutating func unwatch(_ hash: Int) { release(hash) { $0.watchers -= 1 } }

  private mutating func release(_ hash: Int, _ body: (inout Key) -> Void) {
    guard var key = keys[hash] else { return }
    body(&key)
    keys[hash] = key.open + key.loads + key.watchers == 0 ? nil : key
  }
}

extension KeyVersions {
  /// Returns the hash of a key.
  @inlinable
  package static func hash<Key: Hashable>(_ key: Key) -> Int {
    Int(truncatingIfNeeded: KeyHash.ofProcess(key))
  }
}

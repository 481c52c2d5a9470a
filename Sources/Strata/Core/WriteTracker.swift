/// Tracks the in-flight gets of each key, and whether a write has overtaken them.
///
/// A write increments the tracker's version when the write begins and when it ends. A get is
/// *overtaken* if a write to the same key begins or ends while the get is in flight. An overtaken
/// get may have read an outdated value, so the get's value isn't back-filled.
///
/// A get needs no state in the tracker if every level returns its answer immediately. A get without
/// state in the tracker is *untracked*. For an untracked get, a value of type `Get` stores the
/// version that the tracker had when the get started. The tracker also keeps a list of recent
/// writes and back-fills. The list shows whether a key has changed since an untracked get of the
/// key started. The tracker starts tracking a get when the get has to wait for a level. While a get
/// is tracked, the state of its key records every write to the key. Keys with equal hashes share
/// their state, which may prevent a back-fill but never changes the result of a get.
@usableFromInline
package struct WriteTracker {
  /// A get in flight.
  @usableFromInline
  package struct Get: Sendable {
    @usableFromInline let hash: Int
    fileprivate let version: UInt
    /// The position of this get among all gets. A later get has a higher number.
    fileprivate let number: UInt
    /// Whether this get is tracked. A call to `begin` starts the tracking.
    let hasBegun: Bool

    /// Creates an untracked get. `version` is the tracker's version at the start of the get.
    init(_ hash: Int, seen version: UInt, number: UInt) {
      self.init(hash, version, number, hasBegun: false)
    }

    fileprivate init(_ hash: Int, _ version: UInt, _ number: UInt, hasBegun: Bool) {
      (self.hash, self.version, self.number, self.hasBegun) = (hash, version, number, hasBegun)
    }
  }

  private struct KeyActivity {
    let since: UInt
    var lastWrite: UInt = 0
    var lastBackFill: UInt = 0  // The `number` of the newest get whose value was stored.
    var gets = 0
    var writes = 0
  }

  /// A write or a back-fill of a key. For a back-fill, `number` identifies the get that read the
  /// value. For a write, `number` is `UInt.max`.
  private struct Change {
    let hash: Int
    let number: UInt
    static func write(_ hash: Int) -> Change { Change(hash: hash, number: .max) }
  }

  private(set) var version: UInt = 0
  private var keys = HashKeyedTable<KeyActivity>()
  private var changes: [Change]  // The change that created version `v` is at index `v % count`.
  private var lastClear: UInt = 0
  private var clears = 0

  /// - Parameter changes: The number of recent changes to remember for untracked gets.
  init(changes count: Int = 1_024) {
    changes = Array(repeating: .write(0), count: count)
  }

  /// Starts tracking a get. If a write to the key is already in flight, the write overtakes the get
  /// when the write ends.
  mutating func begin(_ hash: Int, number: UInt) -> Get {
    begin(hash, number, keys[hash] ?? KeyActivity(since: version))
  }

  /// Starts tracking an untracked get. Returns `nil` if a write to the get's key is in flight, or
  /// has begun or ended since the get started.
  mutating func begin(_ get: Get) -> Get? {
    let key = keys[get.hash]
    guard isCurrent(get, key) else { return nil }
    return begin(get.hash, get.number, key ?? KeyActivity(since: version))
  }

  private mutating func begin(_ hash: Int, _ number: UInt, _ activity: KeyActivity) -> Get {
    var key = activity
    key.gets += 1
    keys[hash] = key
    return Get(hash, version, number, hasBegun: true)
  }

  /// Ends a tracked get.
  mutating func end(_ get: Get) {
    guard var key = keys[get.hash] else { return }
    key.gets -= 1
    keys[get.hash] = key.gets == 0 && key.writes == 0 ? nil : key
  }

  /// Whether a get is current, which means that no write to its key has begun or ended since the
  /// get started.
  func isCurrent(_ get: Get) -> Bool { isCurrent(get, keys[get.hash]) }

  private func isCurrent(_ get: Get, _ key: KeyActivity?) -> Bool {
    guard lastClear <= get.version else { return false }
    if let key, key.since <= get.version {
      return key.lastWrite <= get.version && (get.hasBegun || key.writes == 0 && clears == 0)
    }
    return !get.hasBegun && clears == 0 && (key?.writes ?? 0) == 0 && !isOvertaken(get)
  }

  /// Whether an untracked get may have an outdated value, because its key was written or
  /// back-filled since the get started. This function ignores back-fills by older gets. If the
  /// tracker doesn't remember all changes since the start, the result is `true`.
  private func isOvertaken(_ get: Get) -> Bool {
    guard get.version < version else { return false }
    guard version - get.version <= UInt(changes.count) else { return true }
    return (get.version + 1...version).contains {
      let change = changes[Int($0 % UInt(changes.count))]
      return change.hash == get.hash && change.number > get.number
    }
  }

  /// Begins a back-fill with the value of a get, unless the value must not be stored. Returns
  /// whether the back-fill has begun. The value must not be stored if a write has overtaken the
  /// get, or if a later get's value has already been stored.
  mutating func beginBackFill(_ get: Get) -> Bool {
    var key = keys[get.hash]
    guard isCurrent(get, key), key.map({ $0.lastBackFill <= get.number }) ?? true else {
      return false
    }
    if !isLastChange(get) { move(Change(hash: get.hash, number: get.number)) }
    if key != nil {
      key?.lastBackFill = get.number
      keys[get.hash] = key
    }
    return true
  }

  /// Whether the most recent change is a back-fill by this get.
  private func isLastChange(_ get: Get) -> Bool {
    guard !changes.isEmpty, version > lastClear else { return false }
    let last = changes[Int(version % UInt(changes.count))]
    return last.hash == get.hash && last.number == get.number
  }

  /// Begins a write to a key, or to all keys if `hash` is `nil`.
  mutating func beginWrite(_ hash: Int?) { moveVersion(hash, writes: 1) }

  /// Ends a write. Gets that began during the write are no longer current, because they may have
  /// read the old value.
  mutating func endWrite(_ hash: Int?) { moveVersion(hash, writes: -1) }

  private mutating func moveVersion(_ hash: Int?, writes: Int) {
    guard let hash else {
      version += 1
      clears += writes
      lastClear = version
      return
    }
    move(.write(hash))
    var key = keys[hash] ?? KeyActivity(since: version)
    key.lastWrite = version
    key.writes += writes
    keys[hash] = key.gets == 0 && key.writes == 0 ? nil : key
  }

  private mutating func move(_ change: Change) {
    version += 1
    if !changes.isEmpty { changes[Int(version % UInt(changes.count))] = change }
  }
}

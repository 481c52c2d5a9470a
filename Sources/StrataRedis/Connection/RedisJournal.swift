import StrataCore
import Synchronization

/// The keys whose last write failed. Because the server may still have older values of these keys,
/// their gets miss until the client has removed the keys from the server.
///
/// Each write has a place in the order of all writes of the process. Of two writes to a key, the
/// later one decides.
final class RedisJournal: Sendable {
  /// The failed write of one key, or a failed `clear`, with its place.
  struct Entry: Sendable, Equatable {
    /// The name of the key, or `nil` for all keys of the epoch.
    let name: [UInt8]?
    let epoch: RedisEpoch
    let place: UInt64

    static func == (one: Self, other: Self) -> Bool {
      one.name == other.name && one.epoch === other.epoch && one.place == other.place
    }
  }

  fileprivate struct Failed {
    var entry: Entry
    /// Whether a request that removes the key was sent on the current connection.
    var isSent = false
  }

  fileprivate struct State {
    private(set) var keys: [[UInt8]: Failed] = [:]
    /// The total size of the keys' names.
    private(set) var bytes = 0
    var epochs: [ObjectIdentifier: Failed] = [:]
  }

  /// The maximum number of keys. When the writes of more keys fail, all keys of the epoch miss.
  private let capacity: Int
  /// The maximum total size of the keys' names in bytes.
  private let byteCapacity: Int
  private let places = Atomic<UInt64>(0)
  private let count = Atomic(0)
  private let state = Lock(State())

  init(capacity: Int = 1_000, byteCapacity: Int = 8 << 20) {
    (self.capacity, self.byteCapacity) = (capacity, byteCapacity)
  }

  /// Whether no write has failed.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Returns the place of a write that begins now.
  func nextPlace() -> UInt64 { places.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Records that a write of a key, or a `clear` if `name` is `nil`, has failed.
  func add(_ name: [UInt8]?, _ epoch: RedisEpoch, at place: UInt64) {
    update { state in
      let id = ObjectIdentifier(epoch)
      if let name, state.epochs[id] == nil {
        state[key: name] = Failed(entry: Entry(name: name, epoch: epoch, place: place))
        guard state.keys.count > capacity || state.bytes > byteCapacity else { return }
      }
      state.removeKeys { $0.epoch === epoch }
      state.epochs[id] = Failed(entry: Entry(name: nil, epoch: epoch, place: place))
    }
  }

  /// Whether gets of a key must miss.
  func hides(_ name: [UInt8], _ epoch: RedisEpoch) -> Bool {
    state.withLock { $0.keys[name] != nil || $0.epochs[ObjectIdentifier(epoch)] != nil }
  }

  /// Whether an entry is still in the journal.
  func contains(_ entry: Entry) -> Bool { state.withLock { $0[entry]?.entry == entry } }

  /// Removes a key's entry, because a write of the key has succeeded, or because the key has been
  /// removed from the server. The entry stays if its write began later than that.
  func succeeded(_ name: [UInt8]?, _ epoch: RedisEpoch, at place: UInt64) {
    update { state in
      if let name {
        if let key = state.keys[name], key.entry.place <= place { state[key: name] = nil }
        return
      }
      state.removeKeys { $0.epoch === epoch && $0.place <= place }
      let id = ObjectIdentifier(epoch)
      if let all = state.epochs[id], all.entry.place <= place { state.epochs[id] = nil }
    }
  }

  /// Returns the entries for which no request was sent on the current connection, and marks them as
  /// sent.
  func takeUnsent() -> [Entry] {
    update { state in
      let entries = (Array(state.keys.values) + Array(state.epochs.values)).filter { !$0.isSent }
        .map(\.entry)
      for entry in entries { state[entry]?.isSent = true }
      return entries
    }
  }

  /// Marks all entries as unsent: the connection is new, or the server might now accept the
  /// requests that it refused earlier.
  func sendAgain() {
    update { state in
      for name in state.keys.keys { state[key: name]?.isSent = false }
      for id in state.epochs.keys { state.epochs[id]?.isSent = false }
    }
  }

  /// Drops an entry whose key has a later write, because that write decides which value remains.
  func drop(_ entry: Entry) {
    update { state in if state[entry]?.entry == entry { state[entry] = nil } }
  }

  private func update<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      defer { count.store(state.keys.count + state.epochs.count, ordering: .releasing) }
      return body(&state)
    }
  }
}

extension RedisJournal.State {
  fileprivate subscript(key name: [UInt8]) -> RedisJournal.Failed? {
    get { keys[name] }
    set {
      bytes += (newValue == nil ? 0 : name.count) - (keys[name] == nil ? 0 : name.count)
      keys[name] = newValue
    }
  }

  fileprivate mutating func removeKeys(where isDue: (RedisJournal.Entry) -> Bool) {
    keys = keys.filter { !isDue($0.value.entry) }
    bytes = keys.keys.reduce(0) { $0 + $1.count }
  }

  fileprivate subscript(entry: RedisJournal.Entry) -> RedisJournal.Failed? {
    get {
      if let name = entry.name { keys[name] } else { epochs[ObjectIdentifier(entry.epoch)] }
    }
    set {
      if let name = entry.name {
        self[key: name] = newValue
      } else {
        epochs[ObjectIdentifier(entry.epoch)] = newValue
      }
    }
  }
}

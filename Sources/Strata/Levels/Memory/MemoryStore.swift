import Synchronization

/// The inside of the memory level: a table by hash over a ring of entries, evicted by second chance.
///
/// A hit marks its entry; the hand of the ring, when room is needed, spares a marked entry once.
/// Keys are hashed and compared, costs computed, and entries released outside the lock.
final class MemoryStore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  fileprivate final class Entry: Sendable {
    let key: Key
    let value: Value
    let hash: Int
    let cost: Int
    let isVisited: Atomic<Bool>
    let slot = Atomic(0)  // Where in the ring it is; changed under the lock alone.

    init(key: Key, value: Value, hash: Int, cost: Int, isVisited: Bool) {
      (self.key, self.value, self.hash, self.cost) = (key, value, hash, cost)
      self.isVisited = Atomic(isVisited)
    }
  }

  /// The entries of one hash. Copied out in O(1), for comparing.
  fileprivate struct Bucket {
    var entries: [Entry] = []
    var version = 0  // Tells whether the bucket is still what was copied.
  }

  fileprivate struct State {
    var buckets: [Int: Bucket] = [:]  // By hash.
    var changes = 0
    var ring: [Entry?] = []
    var free: [Int] = []
    var hand = 0
    var total = 0
  }

  private let capacity: Int
  private let cost: @Sendable (Value) -> Int
  private let state = Lock(State())

  init(capacity: Int, cost: @escaping @Sendable (Value) -> Int) {
    self.capacity = max(0, capacity)
    self.cost = cost
  }

  /// The sum of the costs of what is held: never more than the capacity.
  var total: Int { state.withLock { $0.total } }

  func value(for key: Key) -> Value? {
    let hash = key.hashValue
    guard let entry = bucket(of: hash).entry(of: key) else { return nil }
    if !entry.isVisited.load(ordering: .relaxed) { entry.isVisited.store(true, ordering: .relaxed) }
    return entry.value
  }

  func set(_ value: Value, for key: Key, evicted report: ([Key]) -> Void = { _ in }) {
    let cost = max(1, self.cost(value))  // Or values of no cost would not be bounded.
    guard cost <= capacity else { return remove(key) }
    let new = { isVisited in
      Entry(key: key, value: value, hash: key.hashValue, cost: cost, isVisited: isVisited)
    }
    let evicted = replace(key, by: new, makingRoom: cost)
    if !evicted.isEmpty { report(evicted.map(\.key)) }
  }

  func remove(_ key: Key) { _ = replace(key, by: nil, makingRoom: 0) }

  func removeAll() {
    _ = state.withLock { state in
      let all = state
      state = State()
      state.changes = all.changes
      return all
    }
  }

  func respond(to response: MemoryWarningResponse, evicted report: ([Key]) -> Void = { _ in }) {
    let part =
      switch response {
      case .ignore: 1.0
      case .clear: 0.0
      case .trim(to: let part): part.isNaN ? 0 : min(max(part, 0), 1)
      }
    guard part < 1 else { return }
    let limit = Int(Double(capacity) * part)
    let evicted = state.withLock { $0.evict(to: limit) }
    if !evicted.isEmpty { report(evicted.map(\.key)) }
  }

  private func bucket(of hash: Int) -> Bucket {
    state.withLock { $0.buckets[hash] ?? Bucket() }
  }

  /// Puts an entry in the place of a key's old one, or takes the old one out; returns the evicted.
  ///
  /// Looks for the old entry outside the lock, and again if others of its hash changed meanwhile.
  private func replace(
    _ key: Key, by new: ((_ isVisited: Bool) -> Entry)?, makingRoom cost: Int
  ) -> [Entry] {
    let hash = key.hashValue
    while true {
      let known = bucket(of: hash)
      let old = known.entry(of: key)
      let entry = new?(old != nil)
      let evicted = state.withLock { state -> [Entry]? in
        guard state.buckets[hash]?.version ?? 0 == known.version else { return nil }
        if let old { state.remove(old) }
        let evicted = entry == nil ? [] : state.evict(to: capacity - cost)
        if let entry { state.insert(entry) }
        return evicted
      }
      if let evicted { return evicted }
    }
  }
}

extension MemoryStore.Bucket {
  /// Runs the key's `==`: never under the lock.
  fileprivate func entry(of key: Key) -> MemoryStore.Entry? {
    for entry in entries where entry.key == key { return entry }
    return nil
  }
}

extension MemoryStore.State {
  fileprivate mutating func insert(_ entry: MemoryStore.Entry) {
    let slot = free.popLast() ?? ring.endIndex
    if slot == ring.endIndex { ring.append(entry) } else { ring[slot] = entry }
    entry.slot.store(slot, ordering: .relaxed)
    change(entry.hash) { $0.append(entry) }
    total += entry.cost
  }

  /// Takes an entry out. The caller holds it until the lock is released.
  fileprivate mutating func remove(_ entry: MemoryStore.Entry) {
    let slot = entry.slot.load(ordering: .relaxed)
    guard ring.indices.contains(slot), ring[slot] === entry else { return }
    change(entry.hash) { $0.removeAll { $0 === entry } }
    ring[slot] = nil
    free.append(slot)
    total -= entry.cost
  }

  private mutating func change(
    _ hash: Int, _ body: (inout [MemoryStore.Entry]) -> Void
  ) {
    changes += 1
    var bucket = buckets.removeValue(forKey: hash) ?? MemoryStore.Bucket()
    body(&bucket.entries)
    bucket.version = changes
    if !bucket.entries.isEmpty { buckets[hash] = bucket }
  }

  /// Takes entries out until no more than `limit` is held.
  fileprivate mutating func evict(to limit: Int) -> [MemoryStore.Entry] {
    var evicted: [MemoryStore.Entry] = []
    while total > limit {
      hand = hand + 1 < ring.count ? hand + 1 : 0
      guard let entry = ring[hand] else { continue }
      if entry.isVisited.exchange(false, ordering: .relaxed) { continue }
      remove(entry)
      evicted.append(entry)
    }
    return evicted
  }
}

import Foundation

extension MemoryStore /* : changes that depend on the old value */ {
  /// A value that an update has read, and the bytes of its slot. While this struct holds the value,
  /// the value's objects stay alive, so no new object can take their addresses. So equal bytes mean
  /// that the slot still contains the same value.
  struct Seen {
    var value: Value?
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<Value>.size)

    init() {}

    init(at pointer: UnsafeMutablePointer<Value>) {
      value = pointer.pointee
      let slot = UnsafeRawBufferPointer(start: pointer, count: bytes.count)
      bytes.withUnsafeMutableBytes { $0.copyMemory(from: slot) }
    }

    func isAdmitted(by expirations: ExpirationTracker<Value>?) -> Bool {
      value.flatMap { expirations?.admits($0) } ?? true
    }

    func isStill(at pointer: UnsafeMutablePointer<Value>) -> Bool {
      value != nil && bytes.withUnsafeBytes { memcmp($0.baseAddress!, pointer, $0.count) == 0 }
    }
  }

  private enum Step {
    /// The change has taken effect, and the entry holds the value.
    case done
    /// The store has made room, or the table has changed, so the caller must try again. The old
    /// value is probably still the same.
    case again
    /// To make room, the policy has evicted the entry itself, so the key is absent now.
    case evicted
    /// Another thread has changed the value.
    case conflict
  }

  /// Replaces the value of a key with a value that depends on it. The function calls `change`
  /// without a lock, and calls it again if another thread changes the value in the meantime.
  ///
  /// - Parameter isOnlyIfAbsent: Whether to leave a key alone if it already has a value. Then the
  ///   function doesn't call `change`.
  /// - Returns: The old value and the new one.
  @usableFromInline
  func update(
    _ key: Key, onlyIfAbsent isOnlyIfAbsent: Bool = false,
    then report: ((Key, Value, EvictionCause) -> Void)?, _ change: (Value?) throws -> Value?
  ) rethrows -> (old: Value?, new: Value?) {
    let hash = hash(key)
    guard KeyHash.isReusable(key) else { return (nil, try change(nil)) }
    while true {
      let seen = read(key, hash)
      let old = seen.isAdmitted(by: expirations) ? seen.value : nil
      if isOnlyIfAbsent, let old { return (old, old) }
      written?.mark(hash)
      defer { written?.mark(hash) }
      let new = try change(old)
      var evicted = EvictedEntries<Key, Value>()
      let isStored = store(new, for: key, hash, over: seen, &evicted)
      if let report {
        evicted.forEach(writtenKey: key) { evictedKey, old, cause in
          if cause == .replaced, let new, isSameValue(old, new) { return }
          report(evictedKey, old, cause)
        }
      }
      if isStored { return (old, new) }
    }
  }

  private func read(_ key: Key, _ hash: UInt64) -> Seen {
    withEntry(of: key, hash) { node in
      node.pointee.visit()
      return Seen(at: valuePointer(node))
    } ?? Seen()
  }

  /// Stores a value if the key's value is still the one that was read. Otherwise, returns `false`.
  private func store(
    _ new: Value?, for key: Key, _ hash: UInt64, over seen: Seen,
    _ evicted: inout EvictedEntries<Key, Value>
  ) -> Bool {
    let cost = new.map { price(of: $0, for: key) } ?? 0
    let kept = expirations.map { times in new.map { times.admits($0) } ?? false } ?? (new != nil)
    let cause: EvictionCause =
      kept ? .replaced : new == nil && seen.isAdmitted(by: expirations) ? .removed : .expired
    var candidate: A2F.Candidate?
    var seen = seen
    while true {
      let snapshot = snapshot(of: key, hash)
      if snapshot.nodes.count >= MemoryStore.equalHashLimit, !snapshot.isFound {
        evicted.append(evictNewest(ofHash: hash), writtenKey: key)
        continue
      }
      let step = policy.withLock { state in
        let new = kept && cost <= state.capacity && state.capacity > 0 ? new : nil
        let step = self.step(
          new, key, hash, cost, over: seen, cause, snapshot, &candidate, &state, &evicted)
        guard step == .evicted else { return step }
        seen = Seen()
        return self.step(
          new, key, hash, cost, over: seen, cause, snapshot, &candidate, &state, &evicted)
      }
      if step != .again { return step == .done }
    }
  }

  private func step(
    _ new: Value?, _ key: Key, _ hash: UInt64, _ cost: Int, over seen: Seen,
    _ cause: EvictionCause, _ snapshot: LookupSnapshot, _ candidate: inout A2F.Candidate?,
    _ state: inout A2F, _ evicted: inout EvictedEntries<Key, Value>
  ) -> Step {
    let shard = shard(of: hash)
    switch locate(key, hash, in: shard, snapshot) {
    case .stale: return .again
    case .absent:
      guard seen.value == nil else { return .conflict }
      guard let new else { return .done }
      let isDone = insert(key, hash, new, cost, snapshot, &candidate, &state, &evicted)
      return isDone ? .done : .again
    case .found(let id, let node):
      acquire(&shard.pointee.mutex)
      guard seen.isStill(at: valuePointer(node)) else {
        release(&shard.pointee.mutex)
        return .conflict
      }
      // An update neither pins nor unpins, because the entry would be absent for a moment.
      let cost = node.pointee.cost == 0 ? 0 : max(share, cost)
      let more = cost - node.pointee.cost
      guard let new, state.hasRoom(for: more, isNew: false) else {
        release(&shard.pointee.mutex)
        guard new == nil else {
          let serial = node.pointee.serial
          evict(for: more, isNew: false, replacing: id, &state, &evicted)
          return node.pointee.serial == serial ? .again : .evicted
        }
        drop(id, &state, &evicted, cause)
        return .done
      }
      let old = valuePointer(node).move()
      valuePointer(node).initialize(to: new)
      node.pointee.cost = cost
      release(&shard.pointee.mutex)
      state.total += more
      expirations?.schedule(id, new)
      evicted.append(key, old, .replaced)
      return .done
    }
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension MemoryStore /* : removing */ {
  /// Removes the value of a key, if there is one.
  @inlinable
  func remove(_ key: Key, cause: EvictionCause = .removed) -> Departed<Key, Value> {
    remove(key, hash(key), cause: cause)
  }

  @inlinable
  func remove(_ key: Key, _ hash: UInt64, cause: EvictionCause) -> Departed<Key, Value> {
    let shard = shard(of: hash)
    while true {
      let sighting = look(for: key, hash)
      let departed = policy.withState { state -> Departed<Key, Value>? in
        switch locate(key, hash, in: shard, sighting) {
        case .stale: return nil
        case .absent: return Departed()
        case .found(let number, _):
          state.remove(number)
          let (key, value) = takeOut(number, &state)
          return Departed(key, value, cause)
        }
      }
      if let departed { return departed }
    }
  }

  /// Does what a memory warning asks for.
  @usableFromInline
  func respond(
    to response: MemoryWarningResponse, then report: (Key, Value, EvictionCause) -> Void
  ) {
    switch response {
    case .ignore: return
    case .clear: removeAll(cause: .memoryWarning, then: report)
    case .trim(to: let part):
      let part = part.isNaN ? 0 : min(max(part, 0), 1)
      if part < 1 { trim(to: Int(Double(capacity) * part), then: report) }
    }
  }

  /// Lets go of what is worth least until no more than `limit` is held, some at a time.
  private func trim(to limit: Int, then report: (Key, Value, EvictionCause) -> Void) {
    while true {
      var departed: [(Key, Value)] = []
      let isDone = policy.withState { state in
        for _ in 0..<MemoryStore.batch {
          guard state.total > limit else { return true }
          let (key, value) = takeOut(state.evict(), &state)
          departed.append((key, value))
        }
        return false
      }
      for (key, value) in departed { report(key, value, .memoryWarning) }
      if isDone { return }
    }
  }

  /// Removes all values, at one moment for all keys.
  @usableFromInline
  func removeAll(
    cause: EvictionCause = .cleared,
    then report: (Key, Value, EvictionCause) -> Void = { _, _, _ in }
  ) {
    removeEverything().empty { report($0, $1, cause) }
  }

  func removeEverything() -> Remains {
    policy.withState { state in
      let shards = (0..<MemoryShard.number).map { shard($0) }
      for shard in shards { acquire(&shard.pointee.mutex) }
      defer { for shard in shards { release(&shard.pointee.mutex) } }
      ages?.removeAll()
      return Remains(chunks: state.removeAll(), slots: shards.map { $0.pointee.removeAll() })
    }
  }

  /// Nodes that nobody can find any more.
  struct Remains {
    let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    let slots: [UnsafeMutableBufferPointer<UInt64>]

    func empty(_ body: (Key, Value) -> Void) {
      for slots in slots {
        for slot in slots where slot != 0 {
          let number = UInt32(truncatingIfNeeded: slot) - 1
          let node = UnsafeMutableRawPointer(
            MemoryNodes.node(number, in: chunks, stride: MemoryStore.stride))
          body(
            (node + keyOffset).assumingMemoryBound(to: Key.self).move(),
            (node + valueOffset).assumingMemoryBound(to: Value.self).move())
        }
        freeZeroed(slots.baseAddress)
      }
      for chunk in 0..<32 { freeZeroed(chunks[chunk]) }
      chunks.deallocate()
    }
  }
}

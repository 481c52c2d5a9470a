extension MemoryStore /* : sweeping */ {
  /// How many entries are looked at when a value is stored.
  @usableFromInline static var budget: Int { 16 }

  /// Lets go of entries that are over by a tick, of some at a time.
  @usableFromInline
  func sweep(_ ages: Ages<Value>, by tick: Int64) -> Departed<Key, Value> {
    var departed = Departed<Key, Value>()
    policy.withState { state in
      for _ in 0..<MemoryStore.budget {
        guard let number = ages.next(by: tick) else { break }
        if let (key, value) = takeOutIfOver(number, by: tick, ages, &state) {
          departed.append(key, value, .expired)
        }
      }
      ages.noteDue()
    }
    return departed
  }

  /// Empties a node whose value is over, at one moment; sets its end anew if it is not.
  private func takeOutIfOver(
    _ number: UInt32, by tick: Int64, _ ages: Ages<Value>, _ state: inout A2F
  ) -> (Key, Value)? {
    let node = node(number)
    let shard = shard(of: node.pointee.hash)
    acquire(&shard.pointee.mutex)
    let end = ages.end(of: valuePointer(node).pointee)
    if end <= tick { shard.pointee.remove(number, node.pointee.hash) }
    release(&shard.pointee.mutex)
    guard end <= tick else {
      ages.schedule(number, at: end)
      return nil
    }
    state.remove(number)
    let entry = (keyPointer(node).move(), valuePointer(node).move())
    state.nodes.giveBack(number)
    return entry
  }
}

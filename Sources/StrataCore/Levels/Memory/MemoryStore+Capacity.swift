extension MemoryStore /* : changing the capacity */ {
  /// Evicts entries until the level has the wanted capacity, in steps of `batch` evictions. Between
  /// two steps, other threads can write. A get waits at most for the removal of one entry.
  ///
  /// During the steps, the capacity falls with the total cost, so a concurrent `set` only makes
  /// room for its own entry. When another thread changes the capacity in the meantime, the last
  /// change applies.
  func settleCapacity(then report: (Key, Value, EvictionCause) -> Void) {
    while true {
      var evicted: [(Key, Value)] = []
      evicted.reserveCapacity(MemoryStore.batch)
      let isDone = policy.withLock { state in
        while state.total > state.wanted, evicted.count < MemoryStore.batch {
          evicted.append(extract(state.evict(), &state))
        }
        adjustCapacity(&state)
        return state.capacity == state.wanted
      }
      for (key, value) in evicted { report(key, value, .capacity) }
      if isDone { return }
    }
  }

  func adjustCapacity(_ state: inout A2F) {
    state.adjustCapacity()
    limit.store(state.capacity, ordering: .relaxed)
  }

  /// The number of values, and also their cost if the cost differs from the number.
  var gauges: [CacheGauge] {
    let (count, total, capacity) = policy.withLock { state in
      (state.count + state.pinned, state.total, state.capacity)
    }
    if isCounted { return [CacheGauge("values", count, of: capacity)] }
    return [
      CacheGauge("values", count, of: share > 1 ? capacity / share : nil),
      CacheGauge("cost", total, of: capacity),
    ]
  }

  /// Whether each value costs one.
  var isCounted: Bool { cost == nil && keyedCost == nil }

  /// The current counts and sizes.
  var statistics: MemoryStatistics {
    var statistics = policy.withLock { state in
      MemoryStatistics(
        count: state.count + state.pinned, pinned: state.pinned, cost: state.total,
        capacity: state.capacity, hits: 0, misses: 0, evictions: state.evicted,
        overhead: state.overhead + (expirations?.overhead ?? 0))
    }
    for index in 0..<MemoryShard.shardCount {
      let shard = shard(index)
      acquire(&shard.pointee.mutex)
      statistics.hits += MemoryShard.counts(of: shard)[0]
      statistics.misses += MemoryShard.counts(of: shard)[1]
      statistics.overhead += MemoryShard.stride + (shard.pointee.mask + 1) * 8
      release(&shard.pointee.mutex)
    }
    return statistics
  }
}

extension A2F {
  /// The bytes that the nodes, the counters, and the ghosts take.
  fileprivate var overhead: Int {
    nodes.count * nodes.stride + sketch.bytes + (ghosts?.bytes ?? 0)
  }
}

import Strata

extension BenchmarkCase {
  /// Creates a case that reads successive keys by calling the cache's stored `get` closure.
  ///
  /// This case calls the stored closure directly. With another closure around it, each read would
  /// take longer, by about as much as one or two additional levels.
  @inline(__always)
  static func reading<Key, Value>(
    _ name: String, _ keys: Keys<Key>, _ targets: [Target] = [], from cache: Cache<Key, Value>
  ) -> BenchmarkCase {
    let get = cache.get
    return counting(name, targets) { get(keys[$0]) }
  }

  /// Creates a case that reads successive keys with the provenance of each value.
  static func withProvenance<Key, Value>(
    _ name: String, _ keys: Keys<Key>, from cache: Cache<Key, Value>
  ) -> BenchmarkCase {
    counting(name) { cache.getWithProvenance(keys[$0]) }
  }

  /// Creates a case that reads successive keys. Later samples continue where the previous one
  /// ended.
  @inline(__always)
  static func counting<Answer>(
    _ name: String, _ targets: [Target] = [], _ read: @escaping @Sendable (Int) -> Answer
  ) -> BenchmarkCase {
    let counter = Counter()
    return BenchmarkCase(name: name, targets: targets) { count in
      let first = counter.take(count)
      for index in first..<first + count { blackHole(read(index)) }
    }
  }
}

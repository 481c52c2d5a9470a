import Strata

extension Subject {
  /// Reads key after key from a cache, by its own function.
  ///
  /// Who asks a cache has no closure in between: one that only hands on a key costs as much as a
  /// layer or two.
  @inline(__always)
  static func reading<Key, Value>(
    _ name: String, _ keys: Keys<Key>, _ targets: [Target] = [], from cache: Cache<Key, Value>
  ) -> Subject {
    let get = cache.get
    return counting(name, targets) { get(keys[$0]) }
  }

  /// Reads at one place after another, each from where the last sample of this subject ended.
  @inline(__always)
  static func counting<Answer>(
    _ name: String, _ targets: [Target] = [], _ read: @escaping @Sendable (Int) -> Answer
  ) -> Subject {
    let counter = Counter()
    return Subject(name: name, targets: targets) { count in
      let first = counter.take(count)
      for index in first..<first + count { blackHole(read(index)) }
    }
  }
}

import Strata

/// The policy of the library's memory level, with either goal. For each request, it calls `get` on
/// a memory level, and `set` after a miss.
struct StrataPolicy: ReplacementPolicy {
  private let cache: Cache<String, Int>
  private let keys: [String]
  private let sizes: [Int]?

  init(
    capacity: Int, favoring goal: HitRatioGoal = .objects, seed: Int, for trace: RequestTrace
  ) {
    cache = .memory(
      capacity: trace.sizes == nil ? .count(capacity) : .cost(capacity) { $0 }, favoring: goal,
      seed: UInt64(seed))
    (keys, sizes) = (trace.keys, trace.sizes)
  }

  mutating func access(_ key: Int) -> Bool {
    if case .success = cache.get(keys[key]).outcome { return true }
    _ = cache.set(keys[key], sizes?[key] ?? 1)
    return false
  }
}

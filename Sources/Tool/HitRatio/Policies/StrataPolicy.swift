import Strata

/// The policy of the library's memory level. Each request is a get, followed by a set after a miss.
struct StrataPolicy: ReplacementPolicy {
  private let cache: Cache<String, Void>
  private let keys: [String]

  init(capacity: Int, seed: Int, for trace: RequestTrace) {
    cache = .memory(capacity: capacity, seed: UInt64(seed))
    keys = trace.keys
  }

  mutating func access(_ key: Int) -> Bool {
    if case .success = cache.get(keys[key]).outcome { return true }
    cache.set((), for: keys[key])
    return false
  }
}

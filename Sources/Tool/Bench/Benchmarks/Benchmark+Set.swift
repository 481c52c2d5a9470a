import Foundation
import Strata

extension Benchmark {
  /// A `set` call that replaces a value, and a `set` call that adds a key to a full level.
  ///
  /// Results of `set` are ignored, because a dictionary's setter doesn't return one either.
  static let set = [
    writing("String of 37 bytes", String.numbered), writing("Int", Int.numbered),
  ]

  @inline(__always)
  private static func writing<Key: ObjectKey>(
    _ kind: String, _ key: @escaping @Sendable (Int) -> Key
  ) -> Benchmark {
    Benchmark(.set, "\(kind), 1,024 entries") { scale in
      let count = scale.entries(1_024)
      let keys = Keys(count, key)
      let (dictionary, objects) = (LockedDictionary<Key, Int>(), Objects<Key, Int>())
      let roomy: Cache<Key, Int> = .memory(capacity: 2_048)
      for key in keys.all {
        dictionary[key] = 1
        objects[key] = 1
        _ = roomy.set(key, 1)
      }
      // There are more keys than the level can hold, so each key is evicted long before it is
      // written again.
      let many = Keys(scale.entries(65_536), key)
      let full: Cache<Key, Int> = .memory(capacity: .count(count / 2))
      let weighted: Cache<Key, Int> = .memory(
        capacity: .cost(64 * count) { 64 + ($0 & 127) })
      return [
        .reading("dictionary under one lock", keys) { dictionary[$0] = 2 },
        .reading("NSCache", keys) { objects[$0] = 2 },
        .reading("overwrite", keys, [.ratio(must: 1.2, aim: 0.75), .allocations()]) {
          _ = roomy.set($0, 2)
        },
        .reading("insert with eviction", many, [.ratio(must: 2, aim: 1), .allocations()]) {
          _ = full.set($0, 2)
        },
        .reading("insert with eviction, weighted", many) {
          _ = weighted.set($0, 37)
        },
      ]
    }
  }
}

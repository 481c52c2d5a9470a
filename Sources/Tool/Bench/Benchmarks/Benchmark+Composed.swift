import Strata

extension Benchmark {
  /// Four benchmarks of a get from a sum of levels: a hit in the top level, a hit in the bottom
  /// level, a hit with a back-fill, and a miss.
  static let composed: [Benchmark] = [hitAtTheTop, hitFurtherDown, backFill, miss]

  private static let depths = [1, 2, 3, 8, 16]

  private static let hitAtTheTop = Benchmark(.composed, "hit at the top, by number of levels") {
    scale in
    let (keys, dictionary) = filled(scale)
    let levels = depths.map { depth in
      let sum = sum(of: depth) { _ in .memory(capacity: 2_048) }
      for key in keys.all { _ = sum.set(key, 1) }
      let added: [Target] = depth == 1 ? [] : [.added(to: "1 level", steps: depth - 1)]
      return BenchmarkCase.reading(name(depth), keys, added + [.allocations()], from: sum)
    }
    return [.reading("dictionary under one lock", keys) { dictionary[$0] }] + levels
  }

  // The upper levels have a capacity of zero, so each get reaches the lowest level.
  private static let hitFurtherDown = Benchmark(.composed, "hit at the lowest level") { scale in
    let (keys, dictionary) = filled(scale)
    let levels = depths.map { depth in
      let sum = sum(of: depth) { .memory(capacity: .count($0 == depth - 1 ? 2_048 : 0)) }
      for key in keys.all { _ = sum.set(key, 1) }
      return BenchmarkCase.reading(name(depth), keys, from: sum)
    }
    return [.reading("dictionary under one lock", keys) { dictionary[$0] }] + levels
  }

  // The upper level is so small that it evicts a key before the next get of that key.
  private static let backFill = Benchmark(.composed, "hit below, with back-fill above") { scale in
    let count = scale.entries(16_384)
    let keys = Keys(count, String.numbered)
    let (upper, lower) = (LockedDictionary<String, Int>(), LockedDictionary<String, Int>())
    let sum: Cache<String, Int> = .memory(capacity: 16) + .memory(capacity: .count(2 * count))
    for key in keys.all {
      lower[key] = 1
      _ = sum.set(key, 1)
    }
    return [
      .reading("two dictionaries under locks", keys) { key in
        let value = upper[key] ?? lower[key]
        upper[key] = value
        upper[key] = nil
        return value
      },
      .reading("2 levels", keys, [.allocations()], from: sum),
    ]
  }

  private static let miss = Benchmark(.composed, "miss in all levels") { scale in
    let (_, dictionary) = filled(scale)
    let absent = Keys(scale.entries(1_024)) { String.numbered(1_000_000 + $0) }
    let levels = depths.map { depth in
      let sum = sum(of: depth) { _ in .memory(capacity: 2_048) }
      return BenchmarkCase.reading(name(depth), absent, [.allocations()], from: sum)
    }
    return [.reading("dictionary under one lock", absent) { dictionary[$0] }] + levels
  }

  private static func name(_ depth: Int) -> String { depth == 1 ? "1 level" : "\(depth) levels" }

  private static func sum(
    of depth: Int, _ level: (Int) -> Cache<String, Int>
  ) -> Cache<String, Int> {
    (0..<depth).map(level).reduce(.empty, +)
  }

  private static func filled(_ scale: Scale) -> (Keys<String>, LockedDictionary<String, Int>) {
    let keys = Keys(scale.entries(1_024), String.numbered)
    let dictionary = LockedDictionary<String, Int>()
    for key in keys.all { dictionary[key] = 1 }
    return (keys, dictionary)
  }
}

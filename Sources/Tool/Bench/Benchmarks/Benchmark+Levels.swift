import Strata

extension Benchmark {
  /// A hit in a dictionary level and in a constant level, compared with a hit in the memory level.
  /// Dictionary levels and constant levels are meant for tests.
  static let levels = [
    Benchmark(.verbs, "hit, in other levels") { scale in
      let keys = Keys(scale.entries(1_024), String.numbered)
      let memory: Cache<String, Int> = .memory(capacity: 2_048)
      let dictionary: Cache<String, Int> = .dictionary()
      for key in keys.all {
        _ = memory.set(key, 1)
        _ = dictionary.set(key, 1)
      }
      return [
        .reading("memory", keys, from: memory),
        .reading("dictionary", keys, from: dictionary),
        .reading("constant", keys, [.allocations()], from: .constant(1)),
      ]
    }
  ]
}

import Strata

extension Benchmark {
  /// The cost of mapping keys and values.
  static let maps = [
    Benchmark(.maps, "hit, keys and values mapped") { scale in
      let keys = Keys(scale.entries(1_024)) { Page(address: .numbered($0)) }
      let dictionary = LockedDictionary<String, Int>()
      let level: Cache<String, Int> = .memory(capacity: 2_048)
      let three = level + .memory(capacity: 2_048) + .memory(capacity: 2_048)
      for key in keys.all {
        dictionary[key.address] = 1
        _ = three.set(key.address, 1)
      }
      let functions = opaque()
      let keyed: Cache<Page, Int> = \.address <^> level
      let decoded = level <*> Codec.half
      let both: Cache<Page, Double> = \.address <^> level <*> .half
      let thrice: Cache<Page, Double> = \.address <^> three <*> .half
      let plain = "1 level, mapped by hand"
      // As with the functions of a cache, the optimizer can't inline `address` and `half`.
      let (address, half) = (functions.address, functions.half)
      return [
        .counting("dictionary under one lock") { dictionary[keys[$0].address] },
        .counting("1 level") { level.get(keys[$0].address) },
        .counting(plain) { level.get(address(keys[$0])).outcome?.value.map(half) },
        .counting("keys mapped", [.added(to: plain, steps: 1)]) { keyed.get(keys[$0]) },
        .counting("values mapped", [.added(to: plain, steps: 1, must: 10, aim: 3)]) {
          decoded.get(address(keys[$0]))
        },
        .counting("both", [.added(to: plain, steps: 2, must: 7.5), .allocations()]) {
          both.get(keys[$0])
        },
        .counting("3 levels and both", [.added(to: plain, steps: 4), .allocations()]) {
          thrice.get(keys[$0])
        },
      ]
    }
  ]
}

private struct Functions: Sendable {
  var address: @Sendable (Page) -> String = { $0.address }
  var half: @Sendable (Int) -> Double = { Double($0) / 2 }
}

@inline(never)
private func opaque() -> Functions { Functions() }

private struct Page: Hashable, Sendable {
  let address: String
}

extension Codec where Stored == Int, Value == Double {
  fileprivate static var half: Codec {
    Codec(decode: { Double($0) / 2 }, encode: { Int($0 * 2) })
  }
}

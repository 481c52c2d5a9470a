import Foundation
import Strata

extension Benchmark {
  /// Benchmarks of a hit in a memory level, for four kinds of keys and three numbers of entries.
  ///
  /// The smallest level fits into the processor's caches, and the largest one doesn't.
  static let memory: [Benchmark] =
    [1_024, 200_000, 1_000_000].flatMap { entries in
      [
        hit("String of 37 bytes", entries, must: 1.0, aim: 0.6, String.numbered),
        hit("String of 9 bytes", entries, must: nil, aim: nil, String.short),
        hit("Int", entries, must: 1.2, aim: 1.0, Int.numbered),
        hit("URL of 37 bytes", entries, must: 0.8, aim: 0.6, URL.numbered),
      ]
    } + [flat, ofStorage]

  /// Compares a hit in a plain level with a hit in the level of a storage, whose counts can be read
  /// at any time.
  private static let ofStorage = Benchmark(.memory, "hit, String of 37 bytes, by handle") { scale in
    let keys = Keys(scale.entries(1_024), String.numbered)
    let storage = MemoryStorage<String, Int>(capacity: .count(2_048))
    let (plain, handled): (Cache<String, Int>, Cache<String, Int>) = (
      .memory(capacity: .count(2_048)), .memory(storage)
    )
    for (number, key) in keys.all.enumerated() {
      _ = plain.set(key, number)
      _ = handled.set(key, number)
    }
    return [
      .reading("without a handle", keys, from: plain),
      .reading(
        "with a storage", keys, [.ratio(must: 1.1, aim: 1.05), .allocations()], from: handled),
    ]
  }

  /// Compares hits in levels with different numbers of entries. This benchmark reads the same 256
  /// keys from each level, so the processor's caches don't affect the comparison.
  private static let flat = Benchmark(.memory, "hit, 256 String keys, by number of entries") {
    scale in
    let keys = Keys(256, String.numbered)
    let levels = [1_024, 200_000, 1_000_000].map { entries in
      let level: Cache<String, Int> = .memory(capacity: .count(2 * entries))
      for number in 0..<scale.entries(entries) { _ = level.set(.numbered(number), number) }
      let targets: [Target] = entries == 1_024 ? [] : [.ratio(must: 1.5, aim: 1.2)]
      return BenchmarkCase.reading(entries.grouped, keys, targets, from: level)
    }
    return levels
  }

  @inline(__always)
  private static func hit<Key: ObjectKey>(
    _ kind: String, _ entries: Int, must: Double?, aim: Double?,
    _ key: @escaping @Sendable (Int) -> Key
  ) -> Benchmark {
    Benchmark(.memory, "hit, \(kind), \(entries.grouped) entries") { scale in
      let count = scale.entries(entries)
      let keys = Keys(count, key)
      let (dictionary, objects) = (LockedDictionary<Key, Int>(), Objects<Key, Int>())
      let cache: Cache<Key, Int> = .memory(capacity: .count(2 * count))
      for number in 0..<count {
        dictionary[key(number)] = number
        objects[key(number)] = number
        _ = cache.set(key(number), number)
      }
      var targets = [Target.allocations()]
      if let must, let aim, entries == 1_024 {
        targets = [.ratio(must: must, aim: aim)] + targets
        targets.append(.ratio(to: "NSCache", must: 1 / 6, aim: 1 / 12))
      }
      return [
        .reading("dictionary under one lock", keys) { dictionary[$0] },
        .reading("NSCache", keys) { objects[$0] },
        .reading("memory level", keys, targets, from: cache),
      ]
    }
  }
}

extension BenchmarkCase {
  /// Creates a case that reads successive keys. Later samples continue where the previous one
  /// ended.
  ///
  /// This function is always inlined. In a generic loop that isn't specialized, copying a key would
  /// cost as much as a hit.
  @inline(__always)
  static func reading<Key, Answer>(
    _ name: String, _ keys: Keys<Key>, _ targets: [Target] = [],
    _ read: @escaping @Sendable (Key) -> Answer
  ) -> BenchmarkCase {
    let counter = Counter()
    return BenchmarkCase(name: name, targets: targets) { count in
      let first = counter.take(count)
      for index in first..<first + count { blackHole(read(keys[index])) }
    }
  }
}

extension Int {
  /// The number with thousands separators, such as `1,000,000`.
  var grouped: String {
    let digits = Array(String(magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map { end in
      String(digits[Swift.max(0, end - 3)..<end])
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}

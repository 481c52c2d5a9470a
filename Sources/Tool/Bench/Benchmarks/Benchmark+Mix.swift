import Foundation
import Strata

extension Benchmark {
  /// A typical mix of operations: 94 % `get` calls, 5 % `set` calls, and 1 % `remove` calls. After
  /// a miss, the benchmark stores the value.
  ///
  /// Keys follow Zipf's law. Together, all values are about 4.5 times as large as the level's
  /// capacity.
  static let mix = Benchmark(group: .disk, title: title) { rounds, scale in
    var runs: [Mix] = []
    // A run has a million operations, so a few runs give precise results.
    for seed in 0..<min(rounds, 3) { runs.append(try Mix(seed: UInt64(seed), scale)) }
    func row(
      _ subject: String, _ unit: Row.Unit = .time, _ bounds: (must: Double, aim: Double)? = nil,
      _ figure: (Mix) -> Double
    ) -> Row? {
      Row(title, subject, unit, runs.map(figure), bounds: bounds)
    }
    return [
      row("operation, mean") { $0.all.mean }, row("get that hits, mean") { $0.hits.mean },
      row("set, mean") { $0.sets.mean },
      row("set, 999 of 1,000", .time, (200e3, 100e3)) { $0.sets.percentiles([0.999])[0] },
      row("set, worst", .time, (30e6, 2e6)) { $0.sets.worst },
      row("hit ratio", .points) { $0.hitRatio },
      row("hit ratio behind an exact LRU's", .points) { $0.lruRatio - $0.hitRatio },
      row("bytes written per byte set", .times, (1.6, 1.5)) { $0.writeAmplification },
      row("largest excess over the capacity", .bytes, (0, 0)) { $0.mostOver },
    ].compactMap { $0 }
  }

  private static let title = "mix, Zipf 0.9, 200,000 keys of 64 B to 30 KiB, 64 MiB"
}

/// One run of the benchmark, which also counts the hits of an exact LRU for comparison.
private struct Mix {
  private(set) var (all, hits, sets) = (OperationTimes(), OperationTimes(), OperationTimes())
  private(set) var mostOver = 0.0
  private(set) var writeAmplification = 0.0
  private var (gets, foundByLRU) = (0, 0)
  private let load: Load
  private let cache: Cache<String, Data>
  private var lru: WeighedLRU

  var hitRatio: Double { Double(hits.count * 100) / Double(gets) }
  var lruRatio: Double { Double(foundByLRU * 100) / Double(gets) }

  init(seed: UInt64, _ scale: Scale) throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    load = Load(keys: scale.entries(200_000), seed: seed)
    let capacity = max(1 << 16, (64 << 20) / 200_000 * load.names.count)
    let storage = DiskStorage("mix", in: directory.url, capacity: capacity)
    cache = .disk(storage)
    lru = WeighedLRU(capacity: capacity, keys: load.names.count)
    var (law, random) = (Zipf(load.names.count, theta: 0.9, seed: seed), Randomness(seed: ~seed))
    for step in 0..<5 * load.names.count {
      let key = law.next()
      switch Int.random(in: 0..<100, using: &random) {
      case 0: remove(key)
      case 1...5: set(key)
      default: get(key)
      }
      if step.isMultiple(of: 1_000) { mostOver = max(mostOver, directory.used - Double(capacity)) }
    }
    writeAmplification = storage.statistics.writeAmplification
  }

  private mutating func remove(_ key: Int) {
    all.add(OperationTimes.timing { cache.remove(load.names[key]) }.time)
    lru.remove(key)
  }

  private mutating func set(_ key: Int) {
    store(key)
    lru.set(key, weight: load.weight(of: key))
  }

  private mutating func get(_ key: Int) {
    let (found, time) = OperationTimes.timing { cache.get(load.names[key]).outcome }
    gets += 1
    all.add(time)
    if case .success = found { hits.add(time) } else { store(key) }
    if lru.get(key) { foundByLRU += 1 } else { lru.set(key, weight: load.weight(of: key)) }
  }

  private mutating func store(_ key: Int) {
    let time = OperationTimes.timing { cache.set(load.names[key], load.values[key]) }.time
    all.add(time)
    sets.add(time)
  }

  /// The keys and their values.
  struct Load {
    let names: [String]
    let values: [Data]

    init(keys: Int, seed: UInt64) {
      var random = Randomness(seed: seed)
      let bytes = Data((0..<30 << 10).map { _ in UInt8.random(in: 0...255, using: &random) })
      names = (0..<keys).map(String.numbered)
      values = (0..<keys).map { _ in
        let isLong = Int.random(in: 0..<200, using: &random) < 3
        return bytes.prefix(isLong ? bytes.count : .random(in: 64...2_048, using: &random))
      }
    }

    func weight(of key: Int) -> Int { names[key].utf8.count + values[key].count }
  }
}

extension TemporaryDirectory {
  /// The total size of the files in the directory, in bytes.
  fileprivate var used: Double {
    let files =
      FileManager.default.enumerator(
        at: url, includingPropertiesForKeys: [.fileSizeKey])?.allObjects as? [URL]
    return (files ?? []).reduce(0) { sum, file in
      let size = (try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]))
        .flatMap { $0.isRegularFile == true ? $0.fileSize : nil }
      return sum + Double(size ?? 0)
    }
  }
}

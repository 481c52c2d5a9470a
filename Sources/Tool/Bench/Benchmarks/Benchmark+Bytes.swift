import Strata

extension Benchmark {
  /// The memory that an entry uses in addition to its key and value. This includes the bytes that
  /// the allocator adds when it rounds up block sizes.
  ///
  /// This benchmark stores twice as many keys as the memory level can hold. So the memory of this
  /// level also includes at least 16 bytes per entry for a frequency sketch, and 11 bytes per entry
  /// for records of evicted keys (ghosts).
  static let bytes = [
    Benchmark(group: .bytes, title: title) {
      _, scale in
      let count = scale.entries(200_000)
      let dictionary = LockedDictionary<Int, Int>()
      let objects = Objects<Int, Int>()
      let level = Lock<Cache<Int, Int>?>(nil)
      let rows = [
        try await row("dictionary under one lock", count) {
          for number in 0..<count { dictionary[number] = number }
        },
        try await row("NSCache", count) { for number in 0..<count { objects[number] = number } },
        try await row("memory level, full", count, Target(measure: .bytes, must: 96, aim: 88)) {
          let cache: Cache<Int, Int> = .memory(capacity: .count(count))
          for number in 0..<2 * count { _ = cache.set(number, number) }
          level.withLock { $0 = cache }
        },
      ].compactMap { $0 }
      return rows.map { $0.over(rows[0]) }
    }
  ]

  private static let title = "per entry, without the 16 of key and value, 200,000 Int keys"

  private static func row(
    _ name: String, _ count: Int, _ target: Target? = nil, _ fill: () throws -> Void
  ) async throws -> Row? {
    let heap = try await Heap.count { try fill() }
    let bytes = heap.map { Double($0.growth) / Double(count) - 16 }
    guard let figure = Spread([bytes ?? .nan]), let ratio = Spread([1]) else { return nil }
    return Row(
      group: .bytes, benchmark: title, subject: name, figure: figure, ratio: ratio,
      allocations: heap.map { Double($0.allocations) / Double(count) },
      bytes: heap.map { Double($0.bytes) / Double(count) },
      checks: [target].compactMap { $0 }.map { Row.Check(target: $0, figure: bytes) }, unit: .bytes)
  }
}

extension Row {
  fileprivate func over(_ baseline: Row) -> Row {
    var row = self
    row.ratio = Spread([figure.median / baseline.figure.median]) ?? ratio
    return row
  }
}

import Foundation
import Strata

extension Contest {
  /// How often a level that is too small has the answer, beside an exact LRU that pays for keys and
  /// values alone; what is read is kept by a second chance, half a segment at a time.
  static let hitRatio = Contest(group: .disk, title: title) { _, scale in
    var rows: [Row?] = []
    var behind: [Double] = []
    for theta in [0.7, 0.9] {
      for part in [5, 20] {
        let (disk, lru) = try ratios(theta, part, keys: scale.entries(50_000))
        behind.append(lru - disk)
        let name = "Zipf \(theta.brief), \(part) % of keys"
        rows.append(Row(title, name + ", LRU", .points, [lru]))
        rows.append(Row(title, name + ", disk", .points, [disk], over: [lru]))
      }
    }
    let mean = behind.reduce(0, +) / Double(behind.count)
    rows.append(Row(title, "behind the LRU, mean", .points, [mean], bounds: (1.5, 0)))
    return rows.compactMap { $0 }
  }

  private static let title = "hit ratio, 50,000 keys, 1 KiB"

  private static func ratios(
    _ theta: Double, _ part: Int, keys: Int
  ) throws -> (disk: Double, lru: Double) {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (value, names) = (Data(count: 1_024), (0..<keys).map(String.numbered))
    let weight = names[0].utf8.count + value.count
    let capacity = max(1 << 16, weight * keys * part / 100)
    let cache: Cache<String, Data> = .disk("ratio", in: directory.url, capacity: capacity)
    var (law, lru) = (Zipf(keys, theta: theta, seed: 1), WeighedLRU(capacity: capacity, keys: keys))
    var (onDisk, inLRU) = (0, 0)
    for _ in 0..<8 * keys {
      let key = law.next()
      if case .success = cache.get(names[key]).outcome {
        onDisk += 1
      } else {
        _ = cache.set(names[key], value)
      }
      if lru.get(key) { inLRU += 1 } else { lru.set(key, weight: weight) }
    }
    let scale = 100 / Double(8 * keys)
    return (Double(onDisk) * scale, Double(inLRU) * scale)
  }
}

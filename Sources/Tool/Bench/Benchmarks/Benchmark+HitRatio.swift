import Foundation
import Strata

extension Benchmark {
  /// The hit ratio of a small disk level, compared with the hit ratio of an exact LRU cache.
  ///
  /// The capacity of the LRU cache limits the total size of keys and values, without an overhead
  /// for each entry. In contrast, the disk level evicts half a segment at a time, and gives
  /// recently read entries a second chance. All requests follow Zipf's law. When the environment
  /// variable `STRATA_TRACES` names a directory of real traces, the benchmark replays these traces
  /// as well.
  static let hitRatio = Benchmark(group: .disk, title: title) { _, scale in
    let made = [0.7, 0.9].map { theta in
      RequestTrace(zipf: theta, keys: scale.entries(50_000))
    }
    var rows: [Row?] = []
    var behind: [Double] = []
    for trace in made + (try RequestTrace.real()) {
      for part in [5, 20] {
        let (disk, lru) = try ratios(trace, part)
        behind.append(lru - disk)
        let name = "\(trace.name), \(part) % of keys"
        rows.append(Row(title, name + ", LRU", .points, [lru]))
        rows.append(Row(title, name + ", disk", .points, [disk], over: [lru]))
      }
    }
    let mean = behind.reduce(0, +) / Double(behind.count)
    rows.append(Row(title, "behind the LRU, mean", .points, [mean], bounds: (1.5, 0)))
    return rows.compactMap { $0 }
  }

  private static let title = "hit ratio, values of 1 KiB"

  private static func ratios(_ trace: RequestTrace, _ part: Int) throws -> (
    disk: Double, lru: Double
  ) {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let value = Data(count: 1_024)
    let weights = trace.keys.map { $0.utf8.count + value.count }
    let capacity = max(1 << 20, weights.reduce(0, +) * part / 100)
    let cache: Cache<String, Data> = .disk("ratio", in: directory.url, capacity: capacity)
    var lru = WeighedLRU(capacity: capacity, keys: trace.keys.count)
    var (onDisk, inLRU) = (0, 0)
    for key in trace.requests {
      if case .success = cache.get(trace.keys[key]).outcome {
        onDisk += 1
      } else {
        _ = cache.set(trace.keys[key], value)
      }
      if lru.get(key) { inLRU += 1 } else { lru.set(key, weight: weights[key]) }
    }
    let scale = 100 / Double(trace.requests.count)
    return (Double(onDisk) * scale, Double(inLRU) * scale)
  }
}

extension RequestTrace {
  /// Creates a trace that follows Zipf's law and has eight requests per key on average.
  fileprivate init(zipf theta: Double, keys: Int) {
    var law = Zipf(keys, theta: theta, seed: 1)
    self.init(
      name: "Zipf \(theta.brief)", keys: (0..<keys).map(String.numbered),
      requests: (0..<8 * keys).map { _ in law.next() })
  }

  /// Returns real traces of a database, file systems, a website, and a program. Returns an empty
  /// array if `STRATA_TRACES` isn't set.
  fileprivate static func real() throws -> [RequestTrace] {
    guard let path = ProcessInfo.processInfo.environment["STRATA_TRACES"] else { return [] }
    return try ["multi2", "sprite", "cloudphysics", "web07", "corda", "oltp"].map { name in
      let file = URL(fileURLWithPath: path).appendingPathComponent("traces/\(name).txt.gz")
      return try RequestTrace(name: name, [UInt8](unpacked(file)), file: file.path)
    }
  }

  private static func unpacked(_ file: URL) throws -> Data {
    let (gzip, pipe) = (Process(), Pipe())
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", file.path]
    gzip.standardOutput = pipe
    try gzip.run()
    defer { gzip.waitUntilExit() }
    return try pipe.fileHandleForReading.readToEnd() ?? Data()
  }
}

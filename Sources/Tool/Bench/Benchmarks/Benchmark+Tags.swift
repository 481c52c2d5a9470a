import Foundation
import Strata

extension Benchmark {
  /// The time that tags add to a hit, before the first removal of a tag and after it.
  static let tags = [
    Benchmark(.verbs, "hit with tags, Int keys, 1,024 entries") { scale in
      let keys = Keys(scale.entries(1_024)) { $0 }
      let stamped: Cache<Int, Stamped<Int>> = .memory(capacity: 2_048)
      let (calm, busy) = (Tags(), Tags())
      let tagged = stamped.tagged(by: calm) { key, _ in ["key:\(key & 7)"] }
      let marked = stamped.tagged(by: busy) { key, _ in [key & 1 == 0 ? "even" : "odd"] }
      let now = TimeSource.system.now()
      for key in keys.all { _ = stamped.set(key, Stamped(1, storedAt: now)) }
      _ = busy.mark(["prime"], .remove)
      return [
        .counting("memory level, stamped") { stamped.get(keys[$0]) },
        .counting(
          "tagged",
          [
            Target(measure: .added(to: "memory level, stamped", steps: 1), must: 6, aim: 3),
            .allocations(),
          ]
        ) { tagged.get(keys[$0]) },
        .counting("tagged, after a removal of another tag") { marked.get(keys[$0]) },
      ]
    }
  ]

  /// The time of a hit whose value must be decompressed.
  static let compression = [
    Benchmark(.verbs, "hit, 16 KiB of text decoded, 64 entries") { scale in
      let keys = Keys(min(64, scale.entries(64))) { $0 }
      let (plain, small): (Cache<Int, Data>, Cache<Int, Data>) = (.memory(), .memory())
      let (texts, compressed) = (plain <*> .utf8, small <*> .compressed(.utf8))
      let text = String(repeating: "<li>a line of a list, number 12345</li>\n", count: 420)
      for key in keys.all {
        _ = texts.set(key, text)
        _ = compressed.set(key, text)
      }
      return [
        .counting("utf8") { texts.get(keys[$0]) },
        .counting("compressed(utf8)") { compressed.get(keys[$0]) },
      ]
    }
  ]
}

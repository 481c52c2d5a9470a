import Foundation
import Strata

extension Benchmark {
  /// Concurrent hits from several threads. Every row shows how long one thread needs for one hit.
  static let threads = [1, 2, 4, 8].map { threads in
    Benchmark(.threads, "hit, String of 37 bytes, threads: \(threads)") { scale in
      let keys = Keys(scale.entries(1_024), String.numbered)
      let dictionary = LockedDictionary<String, Int>()
      let cache: Cache<String, Int> = .memory(capacity: 2_048)
      for key in keys.all {
        dictionary[key] = 1
        _ = cache.set(key, 1)
      }
      let observed = cache.observed(by: CacheStatistics().observer)
      let targets: [Target] = threads == 2 ? [.ratio(must: 0.5, aim: 0.3)] : []
      let counted: [Target] =
        threads == 8 ? [.ratio(to: "memory level", must: 1.5, aim: 1.2)] : []
      return [
        BenchmarkCase(name: "dictionary under one lock") { count in
          onThreads(threads) { for index in $0..<$0 + count { blackHole(dictionary[keys[index]]) } }
        },
        BenchmarkCase(name: "memory level", targets: targets) { count in
          onThreads(threads) { for index in $0..<$0 + count { blackHole(cache.get(keys[index])) } }
        },
        BenchmarkCase(name: "memory level, Statistics", targets: counted) { count in
          onThreads(threads) {
            for index in $0..<$0 + count { blackHole(observed.get(keys[index])) }
          }
        },
      ]
    }
  }

  /// Runs `body` on several threads, each with a different starting index, and waits until all
  /// threads have finished.
  private static func onThreads(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = DispatchSemaphore(value: 0)
    for thread in 0..<threads {
      Thread.detachNewThread {
        body(thread * 77_777)
        done.signal()
      }
    }
    for _ in 0..<threads { done.wait() }
  }
}

import StrataVerbs

extension Laws {
  /// A function that makes a pipeline of a level in memory, a level that stores values, and an origin.
  public typealias Pipeline =
    @Sendable (
      _ memory: Cache<Int, Int>, _ store: Cache<Int, Int>, _ origin: Fetcher<Int, Int>
    ) -> Cache<Int, Int>

  /// The laws of `drained(atMost:)` and `close(atMost:)`.
  public static var closing: Laws { closing { $0 + ($1 + $2).pooled() } }

  /// Returns laws that check whether your own pipeline can be drained and closed.
  ///
  /// These laws find a cache that doesn't pass `close()` to its levels. For example, a copy
  /// `Cache(get: a.get, set: a.set)` doesn't close `a`.
  ///
  /// - Parameter pipeline: A closure that returns the pipeline, whose first level is `memory`. It's
  ///   called for each case.
  public static func closing(_ pipeline: @escaping Pipeline) -> Laws {
    Laws(
      "closing",
      [
        law(
          "drain.settled", "drained(); nothing that began before is running",
          "When a cache is drained, its loads, writes, and back-fills have ended.", pipeline
        ) { site, cache in
          let running = site.running(at: cache.draining(atMost: .seconds(60)))
          return running == [] ? nil : running ?? ["drained() doesn't return"]
        },
        law(
          "close.loads", "close(); no load runs, and none begins",
          "After a cache is closed, no operation of a level below memory runs or begins.", pipeline
        ) { site, cache in
          guard let running = site.running(at: cache.closing(atMost: .seconds(60))) else {
            return ["close() doesn't return"]
          }
          let begun = site.begun
          for key in 0..<3 {
            _ = cache.get(key)
            _ = cache.set(key, 1)
          }
          site.advance(100)
          let late = site.begun - begun
          return running == [] && late == 0
            ? nil : running + (late > 0 ? ["\(late) operations begin after close()"] : [])
        },
        law(
          "close.memory", "m.get(k) == v; close(); get(k) == v",
          "A closed cache still returns the values that are in memory.", pipeline
        ) { site, cache in
          _ = site.running(at: cache.closing(atMost: .seconds(60)))
          let lost = (0..<3).filter { key in
            guard let value = site.memory.get(key).outcome?.value else { return false }
            return cache.get(key).outcome?.value != value
          }
          return lost.isEmpty ? nil : lost.map { "get(\($0)) isn't answered" }
        },
        law(
          "close.twice", "close(); close() == close()",
          "A second close, during the first one or later, also waits until the cache is closed.",
          pipeline
        ) { site, cache in
          let first = cache.closing(atMost: .seconds(60))
          let during = cache.closing(atMost: .seconds(60))
          _ = site.running(at: first)
          site.advance(100)
          let after = cache.closing(atMost: .seconds(60))
          site.advance(100)
          let isEnded = [first, during, after].allSatisfy { $0.outcome?.value != nil }
          return isEnded && site.closings == 1
            ? nil : (isEnded ? [] : ["an end is missing"]) + ["closed \(site.closings) times"]
        },
      ])
  }

  private static func law(
    _ name: String, _ statement: String, _ sentence: String, _ pipeline: @escaping Pipeline,
    _ seen: @escaping @Sendable (Worksite, Cache<Int, Int>) -> [String]?
  ) -> Law {
    Law(name, statement, sentence, draw: { WorkTrial(&$0) }) { trial in
      let site = Worksite()
      let cache = pipeline(site.memory, site.store, site.origin)
      trial.run(cache, site)
      return seen(site, cache).map { LawEvidence(left: ("seen", $0), right: ("lawful", [])) }
    }
  }
}

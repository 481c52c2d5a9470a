import StrataVerbs

extension Laws {
  /// A function that returns a cache that remembers misses for a given time.
  public typealias MissMemory =
    @Sendable (Cache<Int, Int>, Duration, TimeSource) -> Cache<Int, Int>

  /// The laws of `rememberingMisses(for:)`.
  public static var misses: Laws { misses { $0.rememberingMisses(for: $1, clock: $2) } }

  /// Returns laws that check your own implementation of `rememberingMisses(for:)`.
  public static func misses(_ verb: @escaping MissMemory) -> Laws {
    let quiet = LawDomain().with {
      $0.levels = 1
      $0.keys = 0..<2
      $0.stored = 0..<2
      $0.clients = 3
      $0.injectsFaults = false
      $0.hasDistinctValues = true
    }
    // The gets of one absent key are slow, so writes often overtake them.
    let overtaken = quiet.with {
      $0.keys = 0..<1
      $0.stored = 0..<1
      $0.hasSlowGets = true
    }
    let build: LawBuild = { verb($0[0], .seconds(3600), $0.time) }
    return Laws(
      "misses",
      [
        Law(
          "misses.definition", "get is a miss at t => get is a miss until t + life",
          "The cache remembers a miss for exactly the given time, and neither another failure nor a "
            + "get that a condition rejected.",
          in: LawDomain().with { $0.isSequential = true }
        ) {
          verb($0[0], .milliseconds(3), $0.time)
        } is: {
          DefinedMisses($0[0], .milliseconds(3), $0.time).cache
        },
        Law(
          "misses.writes", "w; get == get after w",
          "A write discards the remembered miss, and no get in flight adds the miss again.",
          in: overtaken, of: build, violationsOfOlderValues),
        Law(
          onThreads: "misses.writesOnThreads", "w; get == get after w, on threads",
          "With each client on a separate thread, a write discards the remembered miss.", in: quiet,
          of: build,
          violationsOfOlderValues),
      ])
  }
}

/// The reference implementation of remembered misses, for programs without overlapping operations.
private final class DefinedMisses: Sendable {
  private let level: Cache<Int, Int>
  private let lifetime: Duration
  private let time: TimeSource
  private let held = Lock<[Int: (error: any Error, end: TimeSource.Instant)]>([:])

  init(_ level: Cache<Int, Int>, _ lifetime: Duration, _ time: TimeSource) {
    (self.level, self.lifetime, self.time) = (level, lifetime, time)
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { key in
        if let miss = self.held.withLock({ $0[key] }), self.time.now() < miss.end {
          return Promise(error: miss.error)
        }
        return self.level.get(key).onFailure { error in
          guard error.isAbsence else { return }
          let end = self.time.now().advanced(by: self.lifetime)
          self.held.withLock { $0[key] = (error, end) }
        }
      },
      set: { key, value in
        self.held.withLock { $0[key] = nil }
        return self.level.set(key, value)
      },
      remove: { key in
        self.held.withLock { $0[key] = nil }
        return self.level.remove(key)
      },
      clear: {
        self.held.withLock { $0 = [:] }
        return self.level.clear()
      }, memoryWarning: level.memoryWarning)
  }
}

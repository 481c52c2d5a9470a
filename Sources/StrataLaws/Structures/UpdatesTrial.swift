import StrataVerbs

/// A random read from a cache and its origin: the scripts of both, and the order in which their
/// gets settle.
struct UpdatesTrial: Trial, Equatable {
  /// The scripts of the cache and the origin.
  var scripts: [LevelScript]
  /// The levels in the order in which their gets settle.
  var order: [Int]
  /// The levels whose gets the trial settles after those of `order`.
  static let rest = [0, 1, 0, 1]
  /// The number of gets that settle before the reader cancels, or `nil` if it doesn't cancel.
  var leaves: Int?
  /// A write to the cache, and the number of gets that settle before the write.
  var write: Write?

  struct Write: Equatable {
    let after: Int
    let action: Step.Action
  }

  /// Returns a trial with a write and a slow origin.
  static func writing(using random: inout SeededGenerator) -> UpdatesTrial {
    var trial = UpdatesTrial.random(leaving: false, using: &random)
    trial.scripts[0].writeFaults = [:]
    trial.scripts[0].clearFault = nil
    trial.scripts[1].hasSlowGets = true
    let actions: [Step.Action] = [.set(0, 1_000), .remove(0), .clear]
    trial.write = Write(
      after: Int.random(in: 0...3, using: &random),
      action: actions[Int.random(in: 0..<3, using: &random)])
    return trial
  }

  static func random(leaving: Bool, using random: inout SeededGenerator) -> UpdatesTrial {
    let domain = LawDomain().with {
      $0.levels = 2
      $0.keys = 0..<1
      $0.stored = 0..<1
    }
    let scripts = (0..<2).map { _ in
      var script = LevelScript.random(domain, using: &random)
      script.latency = nil
      if script.getFaults[0] == .silence { script.getFaults[0] = .failure }
      return script
    }
    return UpdatesTrial(
      scripts: scripts,
      order: (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Int.random(in: 0..<2, using: &random)
      }, leaves: leaving ? Int.random(in: 0...3, using: &random) : nil)
  }

  var simpler: [UpdatesTrial] {
    withoutEach(\.order)
      + scripts.indices.flatMap { level in
        scripts[level].simpler.map { script in
          var trial = self
          trial.scripts[level] = script
          return trial
        }
      }
  }

  var size: Int { order.count + 1 }

  var lines: [String] {
    [
      "cache: \(scripts[0])", "origin: \(scripts[1])",
      "answers in this order: "
        + order.map { $0 == 0 ? "cache" : "origin" }.joined(separator: ", "),
    ] + (leaves.map { ["the reader leaves after \($0)"] } ?? [])
      + (write.map { ["after \($0.after) the cache receives: \($0.action)"] } ?? [])
  }
}

/// The observed effects of a read: its updates, its calls, and the final contents of the levels.
struct UpdatesSeen: Equatable {
  var updates: [CacheUpdate<Int>] = []
  var end = "no end"
  /// The index of the level whose get settled first: 0 for the cache, or 1 for the origin. When
  /// both settled at the same time, it's 0.
  var first: Int?
  var asked: [[String]] = []
  var rest: [ScriptedLevel.Rest] = []

  var lines: [String] {
    updates.map { "\($0.source.rawValue) \($0.value)" } + [end]
      + asked.enumerated().map {
        "\($0 == 0 ? "cache" : "origin") saw: \($1.joined(separator: ", "))"
      }
      + rest.map { "holds \($0) at rest" }
  }
}

extension UpdatesTrial {
  func run(_ build: (Cache<Int, Int>, Fetcher<Int, Int>) -> CacheUpdates<Int, Int>) -> UpdatesSeen {
    let levels = scripts.enumerated().map { ScriptedLevel($0, $1) }
    var seen = UpdatesSeen()
    let cache = levels[0].cache
    let updates = build(cache, levels[1].cache.fetcher)
    let stream = Lock<AsyncThrowingStream<CacheUpdate<Int>, any Error>?>(updates.values(0))
    seen.first = scripts[0].hasSlowGets ? scripts[1].hasSlowGets ? nil : 1 : 0
    for (index, level) in (order + UpdatesTrial.rest).enumerated() {
      if index == leaves { collect(stream, cancelled: true, into: &seen) }
      if let write, index == write.after { write.action.run(on: Handles(updates.cache)[1]) }
      if levels[level].settle(0), seen.first == nil { seen.first = level }
    }
    for level in levels { while level.settle(0) {} }
    collect(stream, cancelled: false, into: &seen)
    seen.asked = levels.map(\.events)
    seen.rest = levels.map(\.rest)
    return seen
  }

  private func collect(
    _ held: Lock<AsyncThrowingStream<CacheUpdate<Int>, any Error>?>, cancelled: Bool,
    into seen: inout UpdatesSeen
  ) {
    guard let stream = held.withLock({ $0.take() }) else { return }
    let updates = Lock<[CacheUpdate<Int>]>([])
    let ended = Promise { continuation in
      let task = Task {
        do {
          for try await update in stream { updates.withLock { $0.append(update) } }
          continuation.succeed("the end")
        } catch {
          continuation.succeed(error is CancellationError ? "cancelled" : "\(error)")
        }
      }
      if cancelled { task.cancel() }
    }
    Patience().wait(for: ended)
    seen.end = ended.outcome?.value ?? "no end"
    seen.updates = updates.withLock { $0 }
  }
}

extension Step.Action {
  /// Performs a write on a cache through the cache's public methods.
  fileprivate func run(on cache: Cache<Int, Int>) {
    switch self {
    case .set(let key, let value): _ = cache.set(key, value)
    case .remove(let key): _ = cache.remove(key)
    case .clear: _ = cache.clear()
    default: break
    }
  }
}

import Foundation
import StrataVerbs

/// Whether an operation of a cache, before or after it calls a level, runs code on a thread other
/// than its caller's.
func isAsync(_ build: LawBuild) -> Bool {
  [false, true].contains { fails in
    let probe = ThreadProbe(fails: fails)
    let cache = build(
      LawContext(levels: (0..<3).map { _ in probe.level }, time: TimeSource.manual().clock))
    return (0..<3).contains { key in
      probe.leavesThread { cache.get(key) } || probe.leavesThread { cache.set(key, 1) }
        || probe.leavesThread { cache.remove(key) }
    } || probe.leavesThread { cache.clear() }
  }
}

extension LawEvidence {
  /// Adds a note if the cache runs tasks, because then any difference may be due to chance.
  func mentioningTasks(of build: LawBuild) -> LawEvidence {
    guard isAsync(build) else { return self }
    var evidence = self
    evidence.notes.append(
      "The cache runs tasks. This law simulates time, in which a task gets its turn by chance, so it "
        + "can't judge async code. Check that such a verb has no effect with Laws.transparent.")
    return evidence
  }
}

/// Levels whose operations settle only when the probe settles them, on its own thread. So the probe
/// notices each answer from a task, no matter how early or late the system runs the task.
private final class ThreadProbe: Sendable {
  private let fails: Bool
  private let caller = ObjectIdentifier(Thread.current)
  private let state = Lock((held: [@Sendable () -> Void](), hasLeft: false))

  init(fails: Bool) { self.fails = fails }

  var level: Cache<Int, Int> {
    Cache(
      keepsOrder: true, get: { _ in self.held(1) }, set: { _, _ in self.held(()) },
      remove: { _ in self.held(()) },
      clear: { self.held(()) }, memoryWarning: {})
  }

  private var isHere: Bool { ObjectIdentifier(Thread.current) == caller }

  private func held<Value>(_ value: Value) -> Promise<Value> {
    let isHere = isHere
    return Promise { continuation in
      state.withLock { state in
        state.held.append { [fails] in
          if fails { continuation.fail(CacheError.notFound) } else { continuation.succeed(value) }
        }
        if !isHere { state.hasLeft = true }
      }
    }
  }

  /// Whether an operation calls a level or settles later, or on another thread.
  func leavesThread<Value>(_ operation: () -> Promise<Value>) -> Bool {
    let settledHere = Lock(false)
    operation().observed { _ in if self.isHere { settledHere.withLock { $0 = true } } }
    while case let held = state.withLock({ state in
      defer { state.held = [] }
      return state.held
    }), !held.isEmpty {
      for settle in held { settle() }
    }
    return !settledHere.withLock { $0 } || state.withLock { $0.hasLeft }
  }
}

import Foundation
import StrataCore

extension Law {
  /// Creates a law that requires two caches to behave identically in every program.
  ///
  ///     Law("mine.identity", "a.traced() == a", "My verb has no effect.") { $0[0].traced() } is: { $0[0] }
  ///
  /// - Parameters:
  ///   - name: The name of the law, prefixed with the name of its structure, such as
  ///     `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - domain: The bounds of the random programs.
  ///   - equality: The parts of the behavior that must be equal. The default is `full`.
  ///   - left: A closure that builds the cache on the left side of the law. Called once per
  ///     program.
  ///   - right: A closure that builds the cache on the right side of the law. Both closures receive
  ///     levels with the same scripted behavior. Called once per program.
  public init(
    _ name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    equality: Observation.Equality = .full, _ left: @escaping Build, is right: @escaping Build
  ) {
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let left = Run(program, left).virtually().reduced(to: equality)
        let right = Run(program, right).virtually().reduced(to: equality)
        guard left != right else { return nil }
        return Evidence(left: ("left", left.lines), right: ("right", right.lines))
      })
  }

  /// Creates a law that requires a verb to have no effect, even if the verb runs async code.
  ///
  /// If the verb runs async code, each step waits until its tasks have made the progress that the
  /// cache without the verb makes at once. Then the times and the calls to the levels may differ.
  init(
    transparent name: String, _ statement: String, _ sentence: String, _ left: @escaping Build,
    is right: @escaping Build
  ) {
    let runsTasks = isAsync(left)
    self.init(
      name, statement, sentence, draw: { Program.random(Domain(), using: &$0) },
      judge: { program in
        let patience = runsTasks ? Patience(100) : nil
        let equality = runsTasks ? Observation.Equality.answers : .full
        let plain = Run(program, right)
        let other = plain.virtually(with: patience).reduced(to: equality)
        let one = Run(program, left).virtually(with: patience, after: plain).reduced(to: equality)
        guard one != other else { return nil }
        return Evidence(left: ("left", one.lines), right: ("right", other.lines))
      })
    waits = runsTasks
  }

  /// Creates a law about the observed behavior of one cache.
  init(
    _ name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    of build: @escaping Build,
    _ judge: @escaping @Sendable (Program, Observation) -> Violations
  ) {
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).virtually()
        return judge(program, observation).evidence(observation)
      })
  }

  /// Creates a law about the observed behavior of one cache. The clients of each program run on
  /// separate threads.
  init(
    onThreads name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    of build: @escaping Build,
    _ judge: @escaping @Sendable (Program, Observation) -> Violations
  ) {
    self.init(
      name, statement, sentence, tries: 30, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).onThreads()
        return judge(program, observation).evidence(observation)
      })
    // A check takes less than a millisecond, so the law may run many checks to find a smaller
    // violation.
    mostJudgments = 12_000
  }
}

/// Whether an operation of a cache runs code on another thread than its caller's, before or after
/// it calls a level.
private func isAsync(_ build: Build) -> Bool {
  let probe = ThreadProbe()
  let cache = build(
    LawContext(levels: (0..<3).map { _ in probe.level }, time: TimeSource.manual().clock))
  return probe.leavesThread { cache.set(0, 1) } || probe.leavesThread { cache.get(0) }
    || probe.leavesThread { cache.remove(0) } || probe.leavesThread { cache.clear() }
}

/// Levels whose operations settle only when the probe settles them, on the thread of the probe. So
/// a task can't answer unnoticed, however early or late the system runs it.
private final class ThreadProbe: Sendable {
  private let caller = ObjectIdentifier(Thread.current)
  private let state = Lock((held: [@Sendable () -> Void](), hasLeft: false))

  var level: Cache<Int, Int> {
    Cache(
      get: { _ in self.held(1) }, set: { _, _ in self.held(()) }, remove: { _ in self.held(()) },
      clear: { self.held(()) }, memoryWarning: {})
  }

  private var isHere: Bool { ObjectIdentifier(Thread.current) == caller }

  private func held<Value>(_ value: Value) -> Promise<Value> {
    let isHere = isHere
    return Promise { continuation in
      state.withLock { state in
        state.held.append { continuation.succeed(value) }
        if !isHere { state.hasLeft = true }
      }
    }
  }

  /// Whether an operation calls a level or settles on another thread, or later.
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

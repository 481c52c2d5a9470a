@testable import StrataCore
@testable import StrataVerbs

/// Runs a program on a cache in virtual time.
final class NestedRun: Sendable {
  struct Operation: Sendable {
    let step: NestedProgram.Step
    /// The numbers of events at which the operation was called, returned, and ended.
    let began: Int
    var returned = Int.max
    var ended = Int.max
    /// The time until the end, in milliseconds.
    var duration: Int?
    var answer = "no answer"
    var value: Int?
    var isCancelled = false
  }

  private struct State {
    var operations: [Operation] = []
    var last: (@Sendable () -> Void)?
    var next = 0
    var events = 0
  }

  private let program: NestedProgram
  private let (time, clock) = TimeSource.manual()
  private let state = Lock(State())
  private let levels: [FickleLevel]
  private let cache: Cache<Int, Int>

  /// - Parameter build: Makes the cache from its levels.
  init(
    _ program: NestedProgram,
    _ build: (NestedExpression, [Cache<Int, Int>]) -> Cache<Int, Int>
  ) {
    self.program = program
    let hook = Lock<(@Sendable () -> Void)?>(nil)
    let time = time
    levels = program.scripts.enumerated().map { number, script in
      FickleLevel(number, script, time) { hook.withLock { $0 }?() }
    }
    cache = build(program.expression, levels.map(\.cache))
    hook.withLock { hook in
      hook = { [weak self] in
        self?.step()
        self?.step()
      }
    }
  }

  /// Runs the program, and reads each key twice after the levels have recovered.
  func run() -> [Operation] {
    for key in NestedProgram.keys { perform(.set(key, key + 1)) }
    for (level, script) in zip(levels, program.scripts) { script.lacks.forEach(level.forget) }
    clock.advance(by: .milliseconds(1))
    while step() {}
    clock.advance(by: .seconds(40 * program.pace.factor))
    clock.advance(by: .seconds(60))
    for _ in 0..<2 {
      for key in NestedProgram.keys {
        perform(.get(key))
        clock.advance(by: .seconds(60))
      }
    }
    for key in NestedProgram.keys {
      perform(.set(key, 1_000 + key))
      clock.advance(by: .seconds(60))
      perform(.get(key))
      clock.advance(by: .seconds(60))
    }
    return state.withLock { $0.operations }
  }

  @discardableResult
  private func step() -> Bool {
    let step = state.withLock { state -> NestedProgram.Step? in
      guard state.next < program.steps.count else { return nil }
      defer { state.next += 1 }
      return program.steps[state.next]
    }
    guard let step else { return false }
    perform(step)
    return true
  }

  private func perform(_ step: NestedProgram.Step) {
    switch step {
    case .get(let key):
      begin(step) {
        cache.get(key)
      } value: {
        $0
      }
    case .set(let key, let value):
      begin(step) {
        cache.set(key, value)
      } value: { _ in
        nil
      }
    case .remove(let key):
      begin(step) {
        cache.remove(key)
      } value: { _ in
        nil
      }
    case .clear:
      begin(step) {
        cache.clear()
      } value: { _ in
        nil
      }
    case .wait(let duration): clock.advance(by: .milliseconds(duration))
    case .forget(let level, let key): levels[level].forget(key)
    case .cancel: state.withLock { $0.last.take() }?()
    }
  }

  private func begin<Value: Sendable>(
    _ step: NestedProgram.Step, _ call: () -> Promise<Value>,
    value: @escaping @Sendable (Value) -> Int?
  ) {
    let start = clock.now
    let index = state.withLock { state in
      state.events += 1
      state.operations.append(Operation(step: step, began: state.events))
      return state.operations.count - 1
    }
    let promise = call()
    promise.observed { [self] outcome in
      let duration = Int(start.duration(to: clock.now) / .milliseconds(1))
      state.withLock { state in
        state.events += 1
        state.operations[index].ended = state.events
        state.operations[index].duration = duration
        state.operations[index].answer = outcome.kind
        state.operations[index].value = outcome.value.flatMap(value)
      }
    }
    state.withLock { state in
      state.events += 1
      state.operations[index].returned = state.events
      state.last = { [weak self] in
        promise.cancel()
        self?.state.withLock { $0.operations[index].isCancelled = true }
      }
    }
    guard program.pace != .together else { return }
    for _ in 0..<60 where promise.outcome == nil { clock.advance(by: .seconds(1)) }
    guard program.pace == .slow else { return }
    clock.advance(by: .seconds(100) - start.duration(to: clock.now))
  }
}

extension Promise.Outcome {
  /// The outcome without the names of stages.
  fileprivate var kind: String {
    switch self {
    case .success(let value): "\(value)"
    case .cancelled: "cancelled"
    case .failure(let error as CacheError):
      "\(error)".split { !$0.isLetter }.first.map(String.init) ?? ""
    case .failure(let error): "\(error)"
    }
  }
}

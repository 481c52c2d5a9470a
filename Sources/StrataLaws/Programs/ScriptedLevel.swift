import StrataVerbs

/// A level that follows a script and settles slow operations on request.
///
/// By default, an operation takes effect when it's called, even if it settles later. So operations
/// take effect in the order of the calls, which the level declares. It never evicts values, and
/// until the next write, repeated gets of a key have the same result.
package final class ScriptedLevel: Sendable {
  private struct State {
    var contents: [Int: Int]
    var isWarned = false
    var pending: [(id: Int, answer: @Sendable () -> Void)] = []
    var silent: [any Sendable] = []
    var lastID = 0
    var isAbandoned = false
    var history: [Event] = []
  }

  /// The index of the level in the program. Its errors contain this index, in the `level` property
  /// of `ScriptError`.
  package let number: Int
  private let script: LevelScript
  private let state: Lock<State>
  private let ticker: Ticker
  private let time: TimeSource

  /// Creates a level for use outside a law.
  package convenience init(_ number: Int, _ script: LevelScript) {
    self.init(number, script, Ticker(), TimeSource.manual().clock)
  }

  init(_ number: Int, _ script: LevelScript, _ ticker: Ticker, _ time: TimeSource) {
    self.number = number
    self.script = script
    self.ticker = ticker
    self.time = time
    state = Lock(State(contents: script.contents))
  }

  /// The contents of the level, and whether the level received a memory warning.
  package var rest: Rest { state.withLock { Rest(contents: $0.contents, isWarned: $0.isWarned) } }

  /// The calls in order, such as `get 1` and `set 1 2`, and their cancellations, such as
  /// `cancel get 1`.
  package var events: [String] {
    history.filter { $0.kind != .answered }.map(\.description)
  }

  /// All events in order.
  var history: [Event] { state.withLock { $0.history } }

  /// The number of unsettled operations.
  package var waiting: Int { state.withLock { $0.pending.count } }

  /// Settles the unsettled operation at the index `ordinal` modulo their number. Returns `false` if
  /// all have settled.
  @discardableResult
  package func settle(_ ordinal: Int) -> Bool {
    let answer = state.withLock { state in
      state.pending.isEmpty ? nil : state.pending.remove(at: ordinal % state.pending.count)
    }
    answer?.answer()
    return answer != nil
  }

  /// Fails all unsettled operations, and all later slow ones. The closures of an operation retain
  /// the level, so an operation that never settles would keep the level alive.
  func abandon() {
    // The operations are released after unlocking: this fails their promises, whose observers may
    // call the level.
    _ = state.withLock { state in
      defer { (state.pending, state.silent, state.isAbandoned) = ([], [], true) }
      return (state.pending, state.silent)
    }
  }

  /// A cache that calls this level.
  package var cache: Cache<Int, Int> {
    Cache(
      keepsOrder: !script.takesWritesLate,
      get: { key in
        let value = self.state.withLock { $0.contents[key] }
        let fault = self.script.getFaults[key]
        return self.answer(
          .get(key), self.outcome(Promise(value, or: CacheError.notFound), key, fault),
          isSlow: self.script.hasSlowGets, isSilent: fault == .silence)
      },
      set: { key, value in self.write(.set(key, value), key) { $0[key] = value } },
      remove: { key in self.write(.remove(key), key) { $0[key] = nil } },
      clear: { self.write(.clear, nil) { $0 = [:] } },
      memoryWarning: {
        _ = self.note(.asked, .warn)
        self.state.withLock { $0.isWarned = true }
      })
  }

  private func write(
    _ call: Step.Action, _ key: Int?, _ change: @escaping @Sendable (inout [Int: Int]) -> Void
  ) -> Promise<Void> {
    let fault = key.map { script.writeFaults[$0] } ?? script.clearFault
    let isSlow = script.hasSlowWrites && script.isSlow(key)
    let apply: @Sendable () -> Void = {
      if fault == nil { self.state.withLock { change(&$0.contents) } }
    }
    let isLate = isSlow && script.takesWritesLate
    if !isLate { apply() }
    let deadline = script.failingAge.map { time.now().advanced(by: .milliseconds($0)) }
    let settle: @Sendable (Promise<Void>.Outcome) -> Promise<Void>.Outcome = { [time] outcome in
      if let deadline, time.now() >= deadline {
        return .failure(ScriptError(level: self.number, key: key, isMiss: false))
      }
      if isLate { apply() }
      return outcome
    }
    return answer(
      call, outcome(Promise(), key, fault), isSlow: isSlow, isSilent: fault == .silence,
      settling: settle)
  }

  private func outcome<Value>(
    _ answer: Promise<Value>, _ key: Int?, _ fault: LevelScript.Fault?
  ) -> Promise<Value> {
    switch fault {
    case nil, .silence: answer
    case .failure: Promise(error: ScriptError(level: number, key: key, isMiss: false))
    case .refusal: Promise(error: CacheError.conditionNotSatisfied)
    case .miss: Promise(error: ScriptError(level: number, key: key, isMiss: true))
    case .cancellation: .cancelled
    }
  }

  private func answer<Value>(
    _ call: Step.Action, _ answer: Promise<Value>, isSlow: Bool, isSilent: Bool,
    settling: (@Sendable (Promise<Value>.Outcome) -> Promise<Value>.Outcome)? = nil
  ) -> Promise<Value> {
    let number = note(.asked, call)
    guard isSlow || isSilent, let outcome = answer.outcome else {
      _ = note(.answered, call, number)
      return answer
    }
    return Promise { continuation in
      continuation.onCancel { _ = self.note(.cancelled, call, number) }
      let id = state.withLock { state in
        state.lastID += 1
        guard !state.isAbandoned else { return state.lastID }
        // Retains the continuation, because its release would fail the promise.
        if isSilent { state.silent.append(continuation) }
        guard !isSilent else { return state.lastID }
        let answer: @Sendable () -> Void = {
          let outcome = settling?(outcome) ?? outcome
          if !continuation.isSettled { _ = self.note(.answered, call, number) }
          continuation.settle(outcome)
        }
        state.pending.append((state.lastID, answer))
        return state.lastID
      }
      guard let latency = script.latency else { return }
      _ = time.after(.milliseconds(latency)) { [weak self] in self?.settle(id: id) }
    }
  }

  private func settle(id: Int) {
    let answer = state.withLock { state in
      state.pending.firstIndex { $0.id == id }.map { state.pending.remove(at: $0) }
    }
    answer?.answer()
  }

  /// Records an event, and returns the number of the call that caused the event.
  private func note(_ kind: Event.Kind, _ call: Step.Action, _ number: Int? = nil) -> Int {
    let now = ticker.now()
    return state.withLock { state in
      let number = number ?? state.history.count
      state.history.append(Event(kind: kind, call: call, number: number, when: now))
      return number
    }
  }
}

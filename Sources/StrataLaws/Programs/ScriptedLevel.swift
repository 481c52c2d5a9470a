import Strata

/// A level that does what its script says, and answers slow operations when it is told to.
///
/// An operation has its effect when it is called, and a slow one is answered later: so the level
/// keeps the order of calls, as every level must. Unbounded, and the same answer when asked twice.
public final class ScriptedLevel: Sendable {
  private struct State {
    var contents: [Int: Int]
    var isWarned = false
    var pending: [(id: Int, answer: @Sendable () -> Void)] = []
    var silent: [any Sendable] = []
    var lastID = 0
    var history: [Event] = []
  }

  /// Its place among the levels of the program; errors tell it.
  public let number: Int
  private let script: LevelScript
  private let state: Guarded<State>
  private let ticker: Ticker
  private let time: TimeSource

  /// Makes a level that nobody else has.
  public convenience init(_ number: Int, _ script: LevelScript) {
    self.init(number, script, Ticker(), TimeSource.manual().time)
  }

  init(_ number: Int, _ script: LevelScript, _ ticker: Ticker, _ time: TimeSource) {
    self.number = number
    self.script = script
    self.ticker = ticker
    self.time = time
    state = Guarded(State(contents: script.contents))
  }

  /// What the level holds, and whether it was warned.
  public var rest: Rest { state.withLock { Rest(contents: $0.contents, isWarned: $0.isWarned) } }

  /// What was asked of it, in order: `get 1`, `set 1 2`, `cancel get 1`.
  public var events: [String] {
    history.filter { $0.kind != .answered }.map(\.description)
  }

  /// All that happened to it, in order.
  var history: [Event] { state.withLock { $0.history } }

  /// How many of its operations wait for their answer.
  public var waiting: Int { state.withLock { $0.pending.count } }

  /// Answers one of the operations that wait for it; false if there is none.
  @discardableResult
  public func settle(_ ordinal: Int) -> Bool {
    let answer = state.withLock { state in
      state.pending.isEmpty ? nil : state.pending.remove(at: ordinal % state.pending.count)
    }
    answer?.answer()
    return answer != nil
  }

  /// The level as a cache.
  public var cache: Cache<Int, Int> {
    Cache(
      get: { key in
        let value = self.state.withLock { $0.contents[key] }
        let trouble = self.script.troubledGets[key]
        return self.answer(
          .get(key), self.outcome(Promise(value, or: CacheError.notFound), key, trouble),
          isSlow: self.script.hasSlowGets, isSilent: trouble == .silence)
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
    _ call: Step.Action, _ key: Int?, _ change: (inout [Int: Int]) -> Void
  ) -> Promise<Void> {
    let trouble = key.map { script.troubledWrites[$0] } ?? script.troubledClear
    if trouble == nil { state.withLock { change(&$0.contents) } }
    return answer(
      call, outcome(Promise(), key, trouble), isSlow: script.hasSlowWrites,
      isSilent: trouble == .silence)
  }

  private func outcome<Value>(
    _ answer: Promise<Value>, _ key: Int?, _ trouble: LevelScript.Trouble?
  ) -> Promise<Value> {
    switch trouble {
    case nil, .silence: answer
    case .failure: Promise(error: ScriptError(level: number, key: key, isMiss: false))
    case .miss: Promise(error: ScriptError(level: number, key: key, isMiss: true))
    case .cancellation: .cancelled
    }
  }

  private func answer<Value>(
    _ call: Step.Action, _ answer: Promise<Value>, isSlow: Bool, isSilent: Bool
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
        // What keeps silent is held for ever: let go of, it would fail.
        if isSilent { state.silent.append(continuation) }
        guard !isSilent else { return state.lastID }
        let answer: @Sendable () -> Void = {
          if !continuation.isSettled { _ = self.note(.answered, call, number) }
          continuation.settle(outcome)
        }
        state.pending.append((state.lastID, answer))
        return state.lastID
      }
      guard let latency = script.latency else { return }
      _ = time.after(.milliseconds(latency)) { self.settle(id: id) }
    }
  }

  private func settle(id: Int) {
    let answer = state.withLock { state in
      state.pending.firstIndex { $0.id == id }.map { state.pending.remove(at: $0) }
    }
    answer?.answer()
  }

  /// Notes an event, and returns the number of the call that it is of.
  private func note(_ kind: Event.Kind, _ call: Step.Action, _ number: Int? = nil) -> Int {
    let now = ticker.now()
    return state.withLock { state in
      let number = number ?? state.history.count
      state.history.append(Event(kind: kind, call: call, number: number, when: now))
      return number
    }
  }
}

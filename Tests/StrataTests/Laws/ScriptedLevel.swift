@testable import Strata

/// A level that does what its script says, and answers slow operations when it is told to.
///
/// An operation has its effect when it is called, and a slow one is answered later: so the level
/// keeps the order of calls, as every level must. Unbounded, and the same answer when asked twice.
final class ScriptedLevel: Sendable {
  private struct State {
    var contents: [Int: Int]
    var isWarned = false
    var pending: [@Sendable () -> Void] = []
    var events: [String] = []
  }

  let number: Int
  private let script: LevelScript
  private let state: Lock<State>

  init(_ number: Int, _ script: LevelScript) {
    self.number = number
    self.script = script
    state = Lock(State(contents: script.contents))
  }

  /// What the level holds, and whether it was warned.
  var rest: Rest { state.withLock { Rest(contents: $0.contents, isWarned: $0.isWarned) } }

  /// What was asked of it, in order: `get 1`, `set 1 2`, `cancel get 1`.
  var events: [String] { state.withLock { $0.events } }

  /// How many of its operations wait for their answer.
  var waiting: Int { state.withLock { $0.pending.count } }

  struct Rest: Equatable, Sendable, CustomStringConvertible {
    let contents: [Int: Int]
    let isWarned: Bool

    var description: String {
      let entries = contents.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "[\(entries.joined(separator: ", "))]" + (isWarned ? " warned" : "")
    }
  }

  /// Answers one of the operations that wait for it; false if there is none.
  @discardableResult
  func settle(_ ordinal: Int) -> Bool {
    let answer = state.withLock { state in
      state.pending.isEmpty ? nil : state.pending.remove(at: ordinal % state.pending.count)
    }
    answer?()
    return answer != nil
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { key in
        let value = self.state.withLock { $0.contents[key] }
        let outcome = self.outcome(
          Promise(value, or: CacheError.notFound), key, self.script.troubledGets[key])
        return self.answer("get \(key)", outcome, isSlow: self.script.hasSlowGets)
      },
      set: { key, value in self.write("set \(key) \(value)", key) { $0[key] = value } },
      remove: { key in self.write("remove \(key)", key) { $0[key] = nil } },
      clear: { self.write("clear", nil) { $0 = [:] } },
      memoryWarning: {
        self.state.withLock { state in
          state.isWarned = true
          state.events.append("warn")
        }
      })
  }

  private func write(
    _ event: String, _ key: Int?, _ change: (inout [Int: Int]) -> Void
  ) -> Promise<Void> {
    let trouble = key.map { script.troubledWrites[$0] } ?? script.troubledClear
    if trouble == nil { state.withLock { change(&$0.contents) } }
    return answer(event, outcome(Promise(), key, trouble), isSlow: script.hasSlowWrites)
  }

  private func outcome<Value>(
    _ answer: Promise<Value>, _ key: Int?, _ trouble: LevelScript.Trouble?
  ) -> Promise<Value> {
    switch trouble {
    case nil: answer
    case .failure: Promise(error: ScriptError(level: number, key: key, isMiss: false))
    case .miss: Promise(error: ScriptError(level: number, key: key, isMiss: true))
    case .cancellation: .cancelled
    }
  }

  private func answer<Value>(
    _ event: String, _ answer: Promise<Value>, isSlow: Bool
  ) -> Promise<Value> {
    state.withLock { $0.events.append(event) }
    guard isSlow, let outcome = answer.outcome else { return answer }
    return Promise { continuation in
      continuation.onCancel { self.state.withLock { $0.events.append("cancel \(event)") } }
      state.withLock { $0.pending.append { continuation.settle(outcome) } }
    }
  }
}

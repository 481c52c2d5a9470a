import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// A small program of several clients over three levels, all of whose schedules are run.
struct NestedScope {
  /// For example, `s0 g0;c`: one client sets the key 0 and then gets it, and the other one clears.
  let program: String
  /// The levels that have a value of each key at the beginning.
  var filled: Set<Int> = [2]
  /// The levels whose calls take effect before they return.
  var immediate: Set<Int> = []
  /// The number of writes to levels that may fail.
  var failures = 0
  /// Whether a level's call may block while another client's operation runs.
  var blocks = false
}

/// One run of a program. A list of choices determines it.
final class NestedSchedule: Sendable {
  typealias Build = @Sendable (_ levels: [Cache<Int, Int>]) -> Cache<Int, Int>

  /// The choices of a run: what was chosen, and of how many possibilities.
  struct Choices: Sendable {
    private(set) var made: [(chosen: Int, count: Int)] = []
    private var place = 0

    mutating func choose(_ count: Int) -> Int {
      if count == 1 { return 0 }
      if place == made.count { made.append((0, count)) }
      defer { place += 1 }
      return made[place].chosen
    }

    /// The choices of the next run, or `nil` after the last run.
    var next: Choices? {
      var next = self
      next.place = 0
      while let last = next.made.popLast() {
        guard last.chosen + 1 < last.count else { continue }
        next.made.append((last.chosen + 1, last.count))
        return next
      }
      return nil
    }
  }

  enum Action: Equatable, Sendable {
    case get(Int), set(Int, Int), remove(Int), clear

    var key: Int? {
      switch self {
      case .get(let key), .set(let key, _), .remove(let key): key
      case .clear: nil
      }
    }

    var isWrite: Bool { if case .get = self { false } else { true } }
  }

  enum Answer: Equatable, Sendable { case value(Int), miss, done, failure }

  struct Operation: Sendable {
    /// The client, or `nil` for a get at rest.
    let client: Int?
    let action: Action
    let began: Int
    /// When the call returned.
    var returned = Int.max
    var ended = Int.max
    var answer: Answer?
  }

  private struct State: Sendable {
    var choices: Choices
    var time = 0
    var clients: [(next: Int, isBusy: Bool)]
    var operations: [Operation] = []
    var failures: Int
    var isBlocking = false
  }

  private let scope: NestedScope
  private let program: [[Action]]
  private let state: Lock<State>

  init(_ scope: NestedScope, _ choices: Choices) {
    var value = 10
    program = scope.program.split(separator: ";").map { client in
      client.split(separator: " ").map { step in
        let key = Int(step.dropFirst()) ?? 0
        value += 1
        return switch step.first {
        case "s": .set(key, value)
        case "r": .remove(key)
        case "c": .clear
        default: .get(key)
        }
      }
    }
    self.scope = scope
    state = Lock(
      State(
        choices: choices, clients: program.map { _ in (0, false) }, failures: scope.failures))
  }

  var choices: Choices { state.withLock { $0.choices } }
  var operations: [Operation] { state.withLock { $0.operations } }

  /// What the clients see: the answers of each client, and of the gets at rest.
  var answers: String {
    let operations = operations
    return (program.indices.map { Optional($0) } + [nil]).map { client in
      operations.filter { $0.client == client }.map { "\($0.action) \($0.answer, default: "-")" }
        .joined(separator: ", ")
    }.joined(separator: "; ")
  }

  /// Runs the program, and returns a violation of a law.
  func run(_ build: Build) -> String? {
    let cache = Lock<Cache<Int, Int>?>(nil)
    let levels = (0..<3).map { level in
      ScheduledLevel(
        scope.filled.contains(level) ? [0: 1, 1: 2] : [:],
        isImmediate: scope.immediate.contains(level)
      ) {
        guard self.scope.blocks, let cache = cache.withLock({ $0 }) else { return }
        self.block(cache)
      }
    }
    let sum = build(levels.map(\.cache))
    cache.withLock { $0 = sum }
    finish(sum, levels)
    // At rest, each key is read once.
    for key in Set(program.joined().compactMap(\.key)).sorted() {
      begin(.get(key), of: nil, sum)
      finish(sum, levels)
    }
    cache.withLock { $0 = nil }
    return NestedScheduleLaw(scope, operations, levels.map(\.contents)).violation
  }

  /// Lets the clients begin their operations, and the calls of levels take effect, until nothing is
  /// left to do.
  private func finish(_ cache: Cache<Int, Int>, _ levels: [ScheduledLevel]) {
    while true {
      var steps: [() -> Void] = idleClients.map { client in { self.advance(client, cache) } }
      for level in levels {
        for (place, isWrite) in level.ready {
          steps.append { level.end(place) }
          guard isWrite, state.withLock({ $0.failures > 0 }) else { continue }
          steps.append {
            self.state.withLock { $0.failures -= 1 }
            level.end(place, fails: true)
          }
        }
      }
      guard !steps.isEmpty else { return }
      let chosen = state.withLock { state in
        state.time += 1
        return state.choices.choose(steps.count)
      }
      steps[chosen]()
    }
  }

  private var idleClients: [Int] {
    state.withLock { state in
      state.clients.indices.filter {
        !state.clients[$0].isBusy && state.clients[$0].next < program[$0].count
      }
    }
  }

  /// Runs operations of idle clients, or none, while a level's call blocks.
  private func block(_ cache: Cache<Int, Int>) {
    guard state.withLock({ !$0.isBlocking }) else { return }
    state.withLock { $0.isBlocking = true }
    while true {
      let idle = idleClients
      let chosen = state.withLock { state in
        state.time += 1
        return state.choices.choose(idle.count + 1)
      }
      if chosen == 0 { break }
      advance(idle[chosen - 1], cache)
    }
    state.withLock { $0.isBlocking = false }
  }

  private func advance(_ client: Int, _ cache: Cache<Int, Int>) {
    let action = state.withLock { state in
      state.clients[client].isBusy = true
      state.clients[client].next += 1
      return program[client][state.clients[client].next - 1]
    }
    begin(action, of: client, cache)
  }

  private func begin(_ action: Action, of client: Int?, _ cache: Cache<Int, Int>) {
    let number = state.withLock { state in
      state.time += 1
      state.operations.append(Operation(client: client, action: action, began: state.time))
      return state.operations.count - 1
    }
    defer {
      state.withLock { state in
        state.time += 1
        state.operations[number].returned = state.time
      }
    }
    let end = { @Sendable (answer: Answer) in
      self.state.withLock { state in
        state.time += 1
        state.operations[number].ended = state.time
        state.operations[number].answer = answer
        if let client { state.clients[client].isBusy = false }
      }
    }
    let write: Promise<Void>
    switch action {
    case .get(let key):
      cache.get(key).onCompletion { outcome in
        switch outcome {
        case .success(let value): end(.value(value))
        case .failure(let error): end(error.isMiss ? .miss : .failure)
        case .cancelled: end(.failure)
        }
      }
      return
    case .set(let key, let value): write = cache.set(key, value)
    case .remove(let key): write = cache.remove(key)
    case .clear: write = cache.clear()
    }
    write.onCompletion { end($0.value == nil ? .failure : .done) }
  }
}

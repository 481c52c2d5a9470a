@testable import StrataCore
@testable import StrataVerbs

/// A level that keeps the contract of a level and nothing more. It may hang, fail, answer late, or
/// run other operations before its function returns.
final class FickleLevel: Sendable {
  /// How the level treats an operation.
  enum Fate: Hashable, CaseIterable {
    /// Takes effect and answers before the function returns.
    case immediate
    /// Takes effect after a while, and answers then.
    case slow
    /// Takes effect immediately, and answers after a while.
    case early
    /// Takes effect immediately, and answers after the bound of the sum.
    case late
    /// Takes effect after the bound of the sum.
    case overdue
    /// Fails immediately without effect.
    case failing
    /// Takes effect and fails.
    case failingAfterwards
    /// Fails without effect after the bound of the sum.
    case failingLate
    /// Never answers.
    case hanging
    /// Runs other operations of the program before it takes effect and returns.
    case blocking

    /// The delays before the effect and after it, in milliseconds.
    fileprivate var delays: (before: Int?, after: Int) {
      switch self {
      case .immediate, .failing, .failingAfterwards, .blocking: (0, 0)
      case .slow: (300, 0)
      case .early: (0, 300)
      case .late: (0, 7_000)
      case .overdue: (7_100, 0)
      case .failingLate: (6_900, 0)
      case .hanging: (nil, 0)
      }
    }

    fileprivate var hasEffect: Bool { self != .failing && self != .failingLate }

    fileprivate var fails: Bool {
      self == .failing || self == .failingAfterwards || self == .failingLate
    }
  }

  /// A time in which operations have a fate.
  struct Spell: Hashable, Sendable {
    /// In milliseconds since the beginning.
    var begin: Int
    var end: Int
    /// The key, or `nil` for every key and for clears.
    var key: Int?
    var gets: Bool
    var writes: Bool
    var fate: Fate
  }

  struct Script: Hashable, Sendable {
    /// The keys that the level has forgotten at the beginning.
    var lacks: Set<Int> = []
    var keepsOrder = true
    var spells: [Spell] = []
    var bound: Int?
  }

  struct Failure: Error, Equatable {
    let level: Int
  }

  private struct Call: Sendable {
    let id: Int
    let key: Int?
    let isWrite: Bool
    var isDue = false
    let perform: @Sendable (inout [Int: Int]) -> @Sendable () -> Void
  }

  private struct State {
    var contents: [Int: Int] = [:]
    var calls: [Call] = []
    var hung: [any Sendable] = []
    var lastID = 0
  }

  let number: Int
  private let script: Script
  private let time: TimeSource
  private let start: TimeSource.Instant
  private let block: @Sendable () -> Void
  private let state: Lock<State>

  /// - Parameter block: Runs other operations while a call blocks.
  init(
    _ number: Int, _ script: Script, _ time: TimeSource, block: @escaping @Sendable () -> Void
  ) {
    (self.number, self.script, self.time, self.block) = (number, script, time, block)
    start = time.now()
    state = Lock(State())
  }

  var contents: [Int: Int] { state.withLock { $0.contents } }

  func forget(_ key: Int) { state.withLock { $0.contents[key] = nil } }

  var cache: Cache<Int, Int> {
    let cache = Cache<Int, Int>(
      keepsOrder: script.keepsOrder,
      get: { key in
        self.call(key, isWrite: false) { contents in
          contents[key].map { .success($0) } ?? .failure(CacheError.notFound)
        }
      },
      set: { key, value in
        self.call(key, isWrite: true) { contents in
          contents[key] = value
          return .success(())
        }
      },
      remove: { key in
        self.call(key, isWrite: true) { contents in
          contents[key] = nil
          return .success(())
        }
      },
      clear: {
        self.call(nil, isWrite: true) { contents in
          contents = [:]
          return .success(())
        }
      }
    ).clocked(by: time)
    return script.bound.map { cache.awaitedInSum(atMost: .milliseconds($0)) } ?? cache
  }

  private func fate(_ key: Int?, isWrite: Bool) -> Fate {
    let now = Int(start.duration(to: time.now()) / .milliseconds(1))
    return script.spells.first { spell in
      (spell.begin..<spell.end).contains(now) && (spell.key == nil || spell.key == key)
        && (isWrite ? spell.writes : spell.gets)
    }?.fate ?? .immediate
  }

  private func call<Value>(
    _ key: Int?, isWrite: Bool,
    _ effect: @escaping @Sendable (inout [Int: Int]) -> Promise<Value>.Outcome
  ) -> Promise<Value> {
    let fate = fate(key, isWrite: isWrite)
    if fate == .blocking { block() }
    let (before, after) = fate.delays
    let answer = Pending<Value>()
    let (number, time) = (number, time)
    let perform = { @Sendable (contents: inout [Int: Int]) -> @Sendable () -> Void in
      var outcome: Promise<Value>.Outcome = .failure(Failure(level: number))
      if fate.hasEffect {
        let found = effect(&contents)
        if !fate.fails { outcome = found }
      }
      return { [outcome] in
        guard after > 0 else { return _ = answer.settle(outcome) }
        _ = time.after(.milliseconds(after)) { answer.settle(outcome) }
      }
    }
    let id = state.withLock { state in
      state.lastID += 1
      state.calls.append(
        Call(id: state.lastID, key: key, isWrite: isWrite, perform: perform))
      return state.lastID
    }
    switch before {
    case nil: state.withLock { $0.hung.append(answer) }
    case 0: due(id)
    case let delay?: _ = time.after(.milliseconds(delay)) { self.due(id) }
    }
    return answer.outcome.map { Promise(outcome: $0) } ?? answer.promise
  }

  /// The delay of a call is over. It takes effect when the earlier writes to its key have, if the
  /// level keeps the order of its calls.
  private func due(_ id: Int) {
    let answers = state.withLock { state -> [@Sendable () -> Void] in
      if let place = state.calls.firstIndex(where: { $0.id == id }) {
        state.calls[place].isDue = true
      }
      var (rest, answers) = ([Call](), [@Sendable () -> Void]())
      for call in state.calls {
        let isBehind =
          script.keepsOrder
          && rest.contains { earlier in
            earlier.isWrite
              && (earlier.key == nil || call.key == nil || earlier.key == call.key)
          }
        if call.isDue, !isBehind {
          answers.append(call.perform(&state.contents))
        } else {
          rest.append(call)
        }
      }
      state.calls = rest
      return answers
    }
    for answer in answers { answer() }
  }
}

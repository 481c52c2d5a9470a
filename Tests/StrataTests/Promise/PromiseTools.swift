import Foundation
import Synchronization
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// A list of a test's events, in order.
final class Journal<Entry: Sendable>: Sendable {
  private let state = Lock<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }

  var count: Int { state.withLock { $0.count } }

  /// Removes and returns the recorded events.
  func drain() -> [Entry] {
    state.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }

  func note(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

extension Journal<String> {
  /// Records the outcome of a promise under the given name.
  func follow<Value>(_ promise: Promise<Value>, as name: String) {
    promise.observed { self.note("\(name) \($0.text)") }
  }
}

/// A promise that a test settles. If the promise is cancelled, its work is stopped, and a journal
/// can record this event.
struct Later<Value: Sendable>: Sendable {
  let promise: Promise<Value>
  let continuation: Promise<Value>.Continuation

  init(stopping stop: @escaping @Sendable () -> Void = {}) {
    var made: Promise<Value>.Continuation?
    promise = Promise<Value> { (continuation: Promise<Value>.Continuation) in
      continuation.onCancel(stop)
      made = continuation
    }
    continuation = made!
  }

  init(_ name: String, in journal: Journal<String>) {
    self.init { journal.note("\(name) stopped") }
  }
}

extension Promise.Outcome {
  /// The outcome as text, for comparisons in tests.
  var text: String {
    switch self {
    case .success(let value): "\(value)"
    case .failure(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    }
  }
}

extension Promise {
  var text: String { outcome?.text ?? "pending" }

  /// The number of callers that hold an interest in a pending promise.
  var interests: Int {
    guard case .pending(let pending) = state else { return 0 }
    return pending.state.withLock { $0.listeners.interests }
  }
}

enum Broken: Error { case here, there }

/// In each round, runs `first` and `second` on two threads at about the same time. After each
/// round, runs `check`.
func race<Case: Sendable>(
  rounds: Int, _ begin: (Int) -> Case,
  _ first: (Case) -> Void, _ second: @escaping @Sendable (Case) -> Void, check: (Int, Case) -> Void
) {
  let next = Lock<Case?>(nil)
  let (begun, finished) = (Stage(), Stage())
  Thread.detachNewThread {
    for round in 1...rounds {
      let now = begun.meet(round) { next.withLock { $0! } }
      Stage.idle(round * 7 % 397)
      second(now)
      finished.meet(round) {}
    }
  }
  for round in 1...rounds {
    let now = begin(round)
    next.withLock { $0 = now }
    begun.meet(round) {}
    Stage.idle(round * 13 % 401)
    first(now)
    finished.meet(round) {}
    check(round, now)
  }
}

/// A barrier for two threads, used once per round.
private final class Stage: Sendable {
  private let arrivals = Atomic<Int>(0)

  @discardableResult
  func meet<Result>(_ round: Int, _ prepare: () -> Result) -> Result {
    arrivals.add(1, ordering: .acquiringAndReleasing)
    var turns = 0
    while arrivals.load(ordering: .acquiring) < 2 * round {
      turns += 1
      if turns > 2_000 { sched_yield() }
    }
    return prepare()
  }

  /// Delays a thread. Different delays make the two threads meet at different points of their work.
  static func idle(_ turns: Int) {
    let spins = Atomic<Int>(0)
    for _ in 0..<turns { spins.add(1, ordering: .relaxed) }
  }
}

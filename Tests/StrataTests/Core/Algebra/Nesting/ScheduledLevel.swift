@testable import StrataCore

/// A level whose calls take effect when a schedule says so.
///
/// It keeps the contract of a level and nothing more: a call takes effect after the earlier writes of
/// its key.
final class ScheduledLevel: Sendable {
  struct Failure: Error {}

  private struct Call: Sendable {
    let key: Int?
    let isWrite: Bool
    /// Changes the contents, and returns a function that settles the call. With `true`, the call fails
    /// without effect.
    let end: @Sendable (_ fails: Bool, inout [Int: Int]) -> @Sendable () -> Void
  }

  private struct State {
    var contents: [Int: Int]
    var calls: [Call] = []
  }

  /// Whether a call takes effect before it returns.
  private let isImmediate: Bool
  private let state: Lock<State>
  /// Runs before the effect of a call and after it, like other work while the call blocks.
  private let block: @Sendable () -> Void

  init(
    _ contents: [Int: Int], isImmediate: Bool, block: @escaping @Sendable () -> Void
  ) {
    (self.isImmediate, self.block) = (isImmediate, block)
    state = Lock(State(contents: contents))
  }

  var contents: [Int: Int] { state.withLock { $0.contents } }

  /// The places of the calls that may take effect now, and whether each of them is a write.
  var ready: [(place: Int, isWrite: Bool)] {
    state.withLock { state in
      state.calls.indices.filter { place in
        let call = state.calls[place]
        return !state.calls[..<place].contains { earlier in
          (earlier.isWrite || call.isWrite)
            && (earlier.key == nil || call.key == nil || earlier.key == call.key)
        }
      }.map { ($0, state.calls[$0].isWrite) }
    }
  }

  func end(_ place: Int, fails: Bool = false) {
    let settle = state.withLock { $0.calls.remove(at: place).end(fails, &$0.contents) }
    settle()
  }

  var cache: Cache<Int, Int> {
    Cache(
      keepsOrder: true,
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
      })
  }

  private func call<Answer>(
    _ key: Int?, isWrite: Bool,
    _ effect: @escaping @Sendable (inout [Int: Int]) -> Promise<Answer>.Outcome
  ) -> Promise<Answer> {
    block()
    if isImmediate {
      let outcome = state.withLock { effect(&$0.contents) }
      block()
      return Promise(outcome: outcome)
    }
    let answer = Pending<Answer>()
    let call = Call(key: key, isWrite: isWrite) { fails, contents in
      let outcome = fails ? .failure(Failure()) : effect(&contents)
      return { answer.settle(outcome) }
    }
    state.withLock { $0.calls.append(call) }
    return answer.promise
  }
}

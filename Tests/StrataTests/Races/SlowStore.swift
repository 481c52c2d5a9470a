@testable import StrataCore
@testable import StrataVerbs
import StrataLaws

/// A simple slow level. A write takes effect only when a test runs the write.
///
/// The level runs its writes in random order, so the caches above it must preserve the order of
/// writes.
final class SlowStore: Sendable {
  private struct State {
    var contents: [Int: Int] = [:]
    var waiting: [@Sendable () -> Void] = []
    var random: SeededGenerator
  }

  private let state: Lock<State>

  init(seed: UInt64) { state = Lock(State(random: SeededGenerator(seed: seed))) }

  var contents: [Int: Int] { state.withLock { $0.contents } }

  /// Runs a random waiting operation. Returns false if no operation is waiting.
  @discardableResult
  func land() -> Bool {
    let work = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.waiting.isEmpty else { return nil }
      let place = Int.random(in: state.waiting.indices, using: &state.random)
      return state.waiting.remove(at: place)
    }
    work?()
    return work != nil
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { key in
        self.later { Promise<Int>($0[key], or: CacheError.notFound).outcome ?? .cancelled }
      },
      set: { key, value in
        self.later {
          $0[key] = value
          return .success(())
        }
      },
      remove: { key in
        self.later {
          $0[key] = nil
          return .success(())
        }
      },
      clear: {
        self.later {
          $0 = [:]
          return .success(())
        }
      })
  }

  private func later<Value>(
    _ work: @escaping @Sendable (inout [Int: Int]) -> Promise<Value>.Outcome
  ) -> Promise<Value> {
    Promise { continuation in
      state.withLock { state in
        state.waiting.append {
          let outcome = self.state.withLock { work(&$0.contents) }
          continuation.settle(outcome)
        }
      }
    }
  }
}

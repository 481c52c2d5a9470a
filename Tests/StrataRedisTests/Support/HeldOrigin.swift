import Foundation

@testable import StrataCore
@testable import StrataVerbs

/// An origin whose loads end when the test calls `end` or `fail`.
final class HeldOrigin: Sendable {
  private let state = Lock<(count: Int, loads: [Promise<Data>.Continuation])>((0, []))

  var fetcher: Fetcher<String, Data> {
    Fetcher { _ in
      Promise { continuation in
        self.state.withLock { state in
          state.count += 1
          state.loads.append(continuation)
        }
      }
    }
  }

  var count: Int { state.withLock { $0.count } }

  func end(_ text: String) {
    let load = state.withLock { $0.loads.isEmpty ? nil : $0.loads.removeFirst() }
    load?.succeed(Data(text.utf8))
  }

  func fail() {
    let load = state.withLock { $0.loads.isEmpty ? nil : $0.loads.removeFirst() }
    load?.fail(CacheError.timedOut())
  }
}

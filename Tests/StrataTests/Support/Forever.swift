@testable import StrataCore
@testable import StrataVerbs

/// Holds the continuations of promises that never settle.
final class Forever: Sendable {
  private let held = Lock<[any Sendable]>([])

  func never<Value>() -> Promise<Value> {
    Promise { continuation in held.withLock { $0.append(continuation) } }
  }

  /// A level that never answers.
  func level(_ time: TimeSource) -> Cache<String, Int> {
    Cache(
      get: { _ in self.never() }, set: { _, _ in self.never() }, remove: { _ in self.never() },
      clear: { self.never() }
    ).clocked(by: time)
  }
}

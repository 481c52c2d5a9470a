import Foundation

/// A state guarded by a lock. StrataLaws can't use the internal `Lock` of Strata.
final class LawLock<State>: @unchecked Sendable {  // `lock` guards the state.
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}

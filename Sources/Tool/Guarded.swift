import Foundation

/// A state that one thread at a time can reach.
final class Guarded<State>: @unchecked Sendable {  // The state is reached under the lock alone.
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  /// Runs `body` with the state while no other thread does.
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}

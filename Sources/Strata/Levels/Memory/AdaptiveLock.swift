import Synchronization
import Foundation

/// A lock for state that threads use briefly, and seldom at the same time.
///
/// An uncontended pair of `tryLock` and `unlock` takes 7 ns. Locking and unlocking a mutex takes 20
/// ns. `withLock` also takes a mutex. A waiting thread spins only after it has taken the mutex. All
/// other waiting threads sleep until the mutex is free, so at most one thread spins.
///
/// As with a `Lock`, user code must not run while this lock is held. Don't rely on this lock to
/// protect a retain of an object, because the optimizer could move the retain past `unlock`. If
/// code needs an object after `unlock`, move the object out of the state, or guard the object with
/// a `Lock`.
@usableFromInline
final class AdaptiveLock<State>: @unchecked Sendable {  // `isLocked` guards the state.
  private let isLocked = Atomic(false)
  private let queue = Lock(())
  private let state: UnsafeMutablePointer<State>

  init(_ state: State) {
    self.state = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<State>.size, alignment: 64
    ).initializeMemory(as: State.self, to: state)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Takes the lock without waiting, and returns the state. Returns `nil` if another thread holds
  /// the lock.
  @usableFromInline
  func tryLock() -> UnsafeMutablePointer<State>? {
    isLocked.compareExchange(
      expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged ? state : nil
  }

  /// Releases the lock after a successful `tryLock`.
  @usableFromInline
  func unlock() { isLocked.store(false, ordering: .releasing) }

  /// Waits for the lock and runs `body` with the state.
  @inlinable
  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    let state = lockQueued()
    defer { unlockQueued() }
    return body(&state.pointee)
  }

  @usableFromInline
  func lockQueued() -> UnsafeMutablePointer<State> {
    queue.take()
    var attempts = 0
    while true {
      if let state = tryLock() { return state }
      attempts += 1
      AdaptiveLock.pause(after: attempts)
    }
  }

  @usableFromInline
  func unlockQueued() {
    unlock()
    queue.giveBack()
  }

  /// Yields the processor after some attempts, because a thread that holds the lock for more than a
  /// microsecond has probably been preempted.
  private static func pause(after attempts: Int) {
    if attempts > 200 {
      usleep(50)
    } else if attempts > 20 {
      sched_yield()
    }
  }
}

/// A lock for state that threads use only for nanoseconds, and seldom at the same time. See
/// `AdaptiveMutex`. This state starts at the beginning of a cache line.
///
/// As with a `Lock`, user code must not run while this lock is held.
@usableFromInline
final class AdaptiveLock<State>: @unchecked Sendable {  // The mutex guards the state.
  private let state: UnsafeMutablePointer<State>
  private let mutex = UnsafeMutablePointer<AdaptiveMutex>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<State>.size, alignment: 64
    ).initializeMemory(as: State.self, to: state)
    initializeMutex(mutex)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    destroyMutex(mutex)
    mutex.deallocate()
  }

  /// Takes the lock without waiting, and returns the state. Returns `nil` if another thread holds
  /// the lock.
  @usableFromInline
  func tryLock() -> UnsafeMutablePointer<State>? { tryAcquire(mutex) ? state : nil }

  /// Waits for the lock, takes it, and returns the state.
  @usableFromInline
  func lock() -> UnsafeMutablePointer<State> {
    acquire(mutex)
    return state
  }

  /// Releases the lock after `lock` or a successful `tryLock`.
  @usableFromInline
  func unlock() { release(mutex) }

  /// Waits for the lock and runs `body` with the state. The result lives until after the lock is
  /// released.
  @inlinable
  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    let state = lock()
    let result = body(&state.pointee)
    unlock()
    withExtendedLifetime(result) {}
    return result
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Guards a state with a mutex: the only lock of the library.
///
/// State and mutex lie in one allocation, so a lock is one object and its state is reached without
/// an exclusivity check. `Synchronization.Mutex` is not used: ThreadSanitizer reports a race in
/// every use of it on Linux, and it degrades when threads outnumber cores.
///
/// No user code (a closure, `==`, `hash(into:)`, the `deinit` of a value) may run inside
/// `withLock`: move what must be called or released out of the body, and do it afterwards.
@usableFromInline
struct Lock<State>: @unchecked Sendable {  // The state is reached under the mutex alone.
  @usableFromInline let buffer: LockBuffer<State>

  @inlinable
  init(_ state: State) {
    buffer = LockBuffer.guarding(state)
  }

  /// Runs `body` with the state while no other thread does.
  @inlinable
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (state, mutex) = buffer.withUnsafeMutablePointers { ($0, $1) }
    acquire(mutex)
    defer { release(mutex) }
    return try body(&state.pointee)
  }
}

extension Lock {
  /// Takes the lock, until `giveBack`.
  func take() { buffer.withUnsafeMutablePointerToElements { acquire($0) } }

  /// Takes the lock if no other thread has it, until `giveBack`; `nil` if one has.
  func acquireIfFree() -> UnsafeMutablePointer<State>? {
    buffer.withUnsafeMutablePointers { state, mutex in tryAcquire(mutex) ? state : nil }
  }

  /// Gives the lock back that was taken so.
  func giveBack() { buffer.withUnsafeMutablePointerToElements { release($0) } }
}

#if canImport(Darwin)
  @usableFromInline typealias PlatformMutex = os_unfair_lock
#else
  @usableFromInline typealias PlatformMutex = pthread_mutex_t
#endif

@usableFromInline
final class LockBuffer<State>: ManagedBuffer<State, PlatformMutex> {
  @inlinable
  static func guarding(_ state: State) -> LockBuffer<State> {
    let buffer = create(minimumCapacity: 1) { _ in state }
    buffer.withUnsafeMutablePointerToElements { mutex in
      #if canImport(Darwin)
        mutex.initialize(to: os_unfair_lock())
      #else
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
      #endif
    }
    return unsafeDowncast(buffer, to: LockBuffer<State>.self)
  }

  deinit {
    withUnsafeMutablePointerToElements { mutex in
      #if !canImport(Darwin)
        pthread_mutex_destroy(mutex)
      #endif
      mutex.deinitialize(count: 1)
    }
  }
}

// Opaque calls on purpose: with a lock the optimiser can see through, it may move the release of
// the lock before the retain of what the body returned.
@usableFromInline
func acquire(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if canImport(Darwin)
    os_unfair_lock_lock(mutex)
  #else
    pthread_mutex_lock(mutex)
  #endif
}

@usableFromInline
func tryAcquire(_ mutex: UnsafeMutablePointer<PlatformMutex>) -> Bool {
  #if canImport(Darwin)
    os_unfair_lock_trylock(mutex)
  #else
    pthread_mutex_trylock(mutex) == 0
  #endif
}

@usableFromInline
func release(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if canImport(Darwin)
    os_unfair_lock_unlock(mutex)
  #else
    pthread_mutex_unlock(mutex)
  #endif
}

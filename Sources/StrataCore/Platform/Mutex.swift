import Foundation

// The mutex of `Lock`: an unfair lock on Apple's platforms, and a POSIX mutex elsewhere.
//
// A thread that waits for an unfair lock donates its priority to the owner of the lock. With a
// POSIX mutex, it doesn't.

#if canImport(Darwin)
  @usableFromInline typealias PlatformMutex = os_unfair_lock
#else
  @usableFromInline typealias PlatformMutex = pthread_mutex_t
#endif

/// Initializes a mutex. To destroy it, call `destroyMutex`.
@usableFromInline
func initializeMutex(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  mutex.initialize(to: PlatformMutex())
  #if !canImport(Darwin)
    pthread_mutex_init(mutex, nil)
  #endif
}

func destroyMutex(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if !canImport(Darwin)
    pthread_mutex_destroy(mutex)
  #endif
  mutex.deinitialize(count: 1)
}

// The optimizer can't see into the functions below. Otherwise, it could unlock the mutex before it
// retains the result of the guarded closure.

@usableFromInline
func acquire(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if canImport(Darwin)
    os_unfair_lock_lock(mutex)
  #else
    pthread_mutex_lock(mutex)
  #endif
}

/// Acquires a mutex unless a thread, or even this one, has already acquired it.
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

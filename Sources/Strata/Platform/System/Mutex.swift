import Foundation

// The mutex of every lock: an unfair lock on Apple's platforms, and a spin lock with a queue
// elsewhere.
//
// A thread that waits for an unfair lock donates its priority to the owner of the lock. A thread
// that waits for a spin lock doesn't donate its priority.

#if canImport(Darwin)
  @usableFromInline typealias PlatformMutex = os_unfair_lock
#else
  /// A spin lock and a POSIX mutex. The POSIX mutex is a queue for the threads that wait for the
  /// spin lock.
  ///
  /// An uncontended pair of `acquire` and `release` takes 8 ns. A POSIX mutex alone takes 20 ns,
  /// because it executes two atomic instructions instead of one. Only the thread that holds the
  /// POSIX mutex spins. All other waiting threads sleep.
  @usableFromInline
  struct PlatformMutex {
    fileprivate var spinLock = pthread_spinlock_t()
    fileprivate var queue = pthread_mutex_t()
  }
#endif

/// Initializes a mutex. The caller must destroy the mutex with `destroyMutex`.
@usableFromInline
func initializeMutex(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  mutex.initialize(to: PlatformMutex())
  #if !canImport(Darwin)
    pthread_spin_init(&mutex.pointee.spinLock, Int32(PTHREAD_PROCESS_PRIVATE))
    pthread_mutex_init(&mutex.pointee.queue, nil)
  #endif
}

func destroyMutex(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if !canImport(Darwin)
    pthread_spin_destroy(&mutex.pointee.spinLock)
    pthread_mutex_destroy(&mutex.pointee.queue)
  #endif
  mutex.deinitialize(count: 1)
}

// The functions below call C functions, whose bodies the optimizer can't see. If the optimizer
// could see these bodies, it could unlock the mutex before retaining the result of the guarded
// closure.

@usableFromInline
func acquire(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if canImport(Darwin)
    os_unfair_lock_lock(mutex)
  #else
    if !tryAcquire(mutex) { wait(for: mutex) }
  #endif
}

@usableFromInline
func tryAcquire(_ mutex: UnsafeMutablePointer<PlatformMutex>) -> Bool {
  #if canImport(Darwin)
    os_unfair_lock_trylock(mutex)
  #else
    pthread_spin_trylock(&mutex.pointee.spinLock) == 0
  #endif
}

@usableFromInline
func release(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
  #if canImport(Darwin)
    os_unfair_lock_unlock(mutex)
  #else
    pthread_spin_unlock(&mutex.pointee.spinLock)
  #endif
}

#if !canImport(Darwin)
  /// Waits in the queue, and then for the spin lock. A thread that holds the spin lock for more
  /// than a microsecond has probably been preempted, so the waiting thread yields the processor.
  @inline(never)
  private func wait(for mutex: UnsafeMutablePointer<PlatformMutex>) {
    pthread_mutex_lock(&mutex.pointee.queue)
    var attempts = 0
    while !tryAcquire(mutex) {
      attempts += 1
      if attempts > 200 {
        usleep(50)
      } else if attempts > 20 {
        sched_yield()
      }
    }
    pthread_mutex_unlock(&mutex.pointee.queue)
  }
#endif

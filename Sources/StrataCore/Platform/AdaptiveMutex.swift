import Foundation

// The mutex of the memory level, whose critical sections take nanoseconds.
//
// On Linux, an uncontended pair of `acquire` and `release` takes 8 ns. A POSIX mutex takes 20 ns
// for the pair, because it executes two atomic instructions instead of one. On Apple's platforms,
// an unfair lock is fast enough. This mutex isn't suitable for long critical sections, because a
// waiting thread polls.

#if canImport(Darwin)
  @usableFromInline typealias AdaptiveMutex = os_unfair_lock
#else
  /// A spin lock, and a POSIX mutex as the queue of the threads that wait for the spin lock. Only
  /// the thread that holds the POSIX mutex spins. All other waiting threads sleep.
  @usableFromInline
  struct AdaptiveMutex {
    fileprivate var spinLock = pthread_spinlock_t()
    fileprivate var queue = pthread_mutex_t()
  }

  /// Initializes a mutex. To destroy it, call `destroyMutex`.
  func initializeMutex(_ mutex: UnsafeMutablePointer<AdaptiveMutex>) {
    mutex.initialize(to: AdaptiveMutex())
    pthread_spin_init(&mutex.pointee.spinLock, Int32(PTHREAD_PROCESS_PRIVATE))
    pthread_mutex_init(&mutex.pointee.queue, nil)
  }

  func destroyMutex(_ mutex: UnsafeMutablePointer<AdaptiveMutex>) {
    pthread_spin_destroy(&mutex.pointee.spinLock)
    pthread_mutex_destroy(&mutex.pointee.queue)
    mutex.deinitialize(count: 1)
  }

  // The optimizer can't see into the C functions that are called below. Otherwise, it could unlock
  // the mutex before it retains the result of the guarded code.

  @usableFromInline
  func acquire(_ mutex: UnsafeMutablePointer<AdaptiveMutex>) {
    if !tryAcquire(mutex) { wait(for: mutex) }
  }

  @usableFromInline
  func tryAcquire(_ mutex: UnsafeMutablePointer<AdaptiveMutex>) -> Bool {
    pthread_spin_trylock(&mutex.pointee.spinLock) == 0
  }

  @usableFromInline
  func release(_ mutex: UnsafeMutablePointer<AdaptiveMutex>) {
    pthread_spin_unlock(&mutex.pointee.spinLock)
  }

  /// Waits in the queue, and then for the spin lock. After more than a microsecond, the thread that
  /// holds the spin lock has probably been preempted, so the waiting thread yields the processor.
  @inline(never)
  private func wait(for mutex: UnsafeMutablePointer<AdaptiveMutex>) {
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

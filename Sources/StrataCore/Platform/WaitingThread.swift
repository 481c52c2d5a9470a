import Foundation

/// A place where one thread sleeps until another thread wakes it, or until a time has passed. This
/// time pauses while the machine sleeps, and doesn't follow changes of the wall clock.
final class Sleeper: @unchecked Sendable {  // The mutex guards `isAwake`.
  #if canImport(Darwin)
    private let semaphore = DispatchSemaphore(value: 0)

    func wake() { semaphore.signal() }

    func sleep(atMost nanoseconds: Int64) {
      _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(bounded(nanoseconds))))
    }
  #else
    // On Linux, a Dispatch semaphore waits for a time of the wall clock.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isAwake = false

    init() {
      mutex.initialize(to: pthread_mutex_t())
      condition.initialize(to: pthread_cond_t())
      var attributes = pthread_condattr_t()
      pthread_mutex_init(mutex, nil)
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    func wake() {
      pthread_mutex_lock(mutex)
      isAwake = true
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    }

    func sleep(atMost nanoseconds: Int64) {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      let end = Int64(time.tv_nsec) + bounded(nanoseconds)
      time.tv_sec += Int(end / 1_000_000_000)
      time.tv_nsec = Int(end % 1_000_000_000)
      pthread_mutex_lock(mutex)
      while !isAwake, pthread_cond_timedwait(condition, mutex, &time) == 0 {}
      isAwake = false
      pthread_mutex_unlock(mutex)
    }
  #endif

  /// Returns the time, but at most a day, so that the sum of two times can't overflow.
  private func bounded(_ nanoseconds: Int64) -> Int64 {
    min(max(nanoseconds, 0), 86_400 * 1_000_000_000)
  }
}

/// Starts a detached thread that runs a closure and receives no signals. Unlike `Thread`, this
/// function throws if the system can't start another thread.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { ThreadBody.run($0) }, box.toOpaque())
  #else
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { $0.flatMap { ThreadBody.run($0) } }, box.toOpaque())
  #endif
  guard code == 0 else {
    box.release()
    throw ThreadError(code: code)
  }
  #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
}

/// The error for a thread that the system couldn't start, for example because of `ulimit -u`.
package struct ThreadError: Error, CustomStringConvertible {
  let code: Int32

  package var description: String {
    "no thread can be started: \(String(cString: strerror(code)))"
  }
}

private final class ThreadBody {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
}

/// Runs a closure, and then releases the objects that Apple's frameworks autoreleased in it.
func releasingObjects(_ body: () -> Void) {
  #if canImport(ObjectiveC)
    autoreleasepool { body() }
  #else
    body()
  #endif
}

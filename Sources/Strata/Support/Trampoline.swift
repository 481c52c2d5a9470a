#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs what a callback sets off after the callback has returned, on the same thread.
///
/// Each thread has a queue of its own. A job handed over while another one runs on this thread is
/// queued behind it, so a chain of a million links is a loop and not a million frames of stack.
@usableFromInline
enum Trampoline {
  /// Runs `job` now, or after the job that is running on this thread.
  static func run(_ job: @escaping () -> Void) {
    let queue = Queue.ofThisThread
    guard !queue.isDraining else { return queue.jobs.append(job) }
    queue.isDraining = true
    job()
    queue.drain()
    queue.isDraining = false
  }

  /// Runs what is queued on this thread, also from inside a job: for those who are about to block.
  static func drain() {
    Queue.ofThisThread.drain()
  }

  private final class Queue {
    var isDraining = false
    var jobs: [() -> Void] = []
    private var next = 0

    func drain() {
      while next < jobs.count {
        let job = jobs[next]
        jobs[next] = {}
        next += 1
        if next == jobs.count || next == 1024 {
          jobs.removeSubrange(..<next)
          next = 0
        }
        job()
      }
    }

    static var ofThisThread: Queue {
      if let raw = pthread_getspecific(key) {
        return Unmanaged<Queue>.fromOpaque(raw).takeUnretainedValue()
      }
      let queue = Queue()
      pthread_setspecific(key, Unmanaged.passRetained(queue).toOpaque())
      return queue
    }

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      #if canImport(Darwin)
        pthread_key_create(&key) { Unmanaged<Queue>.fromOpaque($0).release() }
      #else
        pthread_key_create(&key) { raw in
          if let raw { Unmanaged<Queue>.fromOpaque(raw).release() }
        }
      #endif
      return key
    }()
  }
}

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
    var job: (() -> Void)? = job
    runSteps {
      job.take()?()
      return false
    }
  }

  /// Runs a job of several steps: `step` again and again, until it returns false.
  ///
  /// A step that drains the queue has the next one called inside it.
  @usableFromInline
  static func runSteps(_ step: @escaping () -> Bool) {
    let queue = Queue.ofThisThread
    queue.jobs.append(step)
    guard !queue.isDraining else { return }
    queue.isDraining = true
    queue.drain()
    queue.isDraining = false
  }

  /// Runs what is queued on this thread, also from inside a job: for those who are about to block.
  ///
  /// What is left of the job that runs comes first.
  static func drain() {
    Queue.ofThisThread.drain()
  }

  private final class Queue {
    var isDraining = false
    var jobs: [() -> Bool] = []  // The one that runs is the first from `next` on.
    private var next = 0
    private var finished = 0

    func drain() {
      while next < jobs.count {
        let (step, place) = (jobs[next], finished)
        // A drain inside the step may have finished this job and others.
        if !step(), finished == place { finishJob() }
      }
    }

    private func finishJob() {
      // Held until the queue is whole again: to release it may hand over another job.
      let job = jobs[next]
      defer { withExtendedLifetime(job) {} }
      jobs[next] = { false }
      finished += 1
      next += 1
      if next > jobs.count / 2 {
        jobs.removeSubrange(..<next)
        next = 0
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

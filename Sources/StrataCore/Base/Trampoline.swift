import Foundation

/// Postpones work that begins inside a callback. It runs on the same thread after the callback has
/// returned.
///
/// Each thread has its own queue. While a job runs on the thread, new jobs wait in the queue. So a
/// chain of a million callbacks runs in a loop, and doesn't need a million stack frames.
@usableFromInline
package enum Trampoline {
  /// Runs a job immediately, or after the current job of this thread if there is one.
  package static func run(_ job: @escaping () -> Void) {
    if runNow(job) { return }
    var job: (() -> Void)? = job
    runSteps {
      job.take()?()
      return false
    }
  }

  /// Runs a job immediately, unless a job of this thread is running. Allocates nothing.
  ///
  /// - Returns: Whether the job has run.
  static func runNow(_ job: () -> Void) -> Bool {
    let queue = Queue.ofThisThread
    guard !queue.isDraining else { return false }
    queue.isDraining = true
    job()
    queue.drain()
    queue.isDraining = false
    return true
  }

  /// Runs a job that consists of several steps. Calls `step` repeatedly until it returns `false`.
  ///
  /// When `step` itself calls `drain()`, then `drain()` calls `step` again before the first call
  /// has returned.
  @usableFromInline
  static func runSteps(_ step: @escaping () -> Bool) {
    let queue = Queue.ofThisThread
    queue.jobs.append(step)
    guard !queue.isDraining else { return }
    queue.isDraining = true
    queue.drain()
    queue.isDraining = false
  }

  /// Runs the queued jobs of this thread, even from inside a job. A thread calls this function
  /// before it blocks.
  ///
  /// When a job calls this function, it first runs the remaining steps of that job, and then the
  /// queued jobs.
  static func drain() {
    Queue.ofThisThread.drain()
  }

  private final class Queue {
    var isDraining = false
    var jobs: [() -> Bool] = []  // The current job is at `next`.
    private var next = 0
    private var finished = 0

    func drain() {
      while next < jobs.count {
        let (step, before) = (jobs[next], finished)
        // A call of `drain()` inside the step might have finished this job and later jobs.
        if !step(), finished == before { finishJob() }
      }
    }

    private func finishJob() {
      // The job is released after the queue is consistent again, because its release might add
      // another job.
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

    private static let key = makeThreadKey()
  }
}

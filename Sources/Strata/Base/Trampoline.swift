import Foundation

/// Delays the work that a callback starts until the callback has returned, and then runs it on the
/// same thread.
///
/// Each thread has its own queue. A job that arrives while another job runs on the thread is queued
/// behind it. A chain of a million links is therefore a loop, and not a million stack frames.
@usableFromInline
package enum Trampoline {
  /// Runs a job now, or after the current job of this thread.
  package static func run(_ job: @escaping () -> Void) {
    var job: (() -> Void)? = job
    runSteps {
      job.take()?()
      return false
    }
  }

  /// Runs a job of several steps. Calls `step` repeatedly until it returns `false`.
  ///
  /// If a step drains the queue, the job's next step runs inside that step.
  @usableFromInline
  static func runSteps(_ step: @escaping () -> Bool) {
    let queue = Queue.ofThisThread
    queue.jobs.append(step)
    guard !queue.isDraining else { return }
    queue.isDraining = true
    queue.drain()
    queue.isDraining = false
  }

  /// Runs the queued jobs of this thread, even from inside a job. Called before a thread blocks.
  ///
  /// The remaining steps of the current job run first.
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
        // A drain inside the step may have finished this job and later jobs.
        if !step(), finished == before { finishJob() }
      }
    }

    private func finishJob() {
      // The job is released after the queue is consistent again, because its release may add a job.
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

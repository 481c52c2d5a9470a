import Foundation
import Strata

/// Tasks that occupy all low-priority threads. While these tasks occupy the threads, a task that a
/// level has started can't run before the law's next operation.
///
/// Before a write settles, the crowd's tasks yield to other tasks. After a write settles, each of
/// the crowd's tasks occupies its thread until the next operation has settled. There are more tasks
/// in the crowd than threads, so some of the crowd's tasks are queued ahead of the level's tasks.
final class Crowd: Sendable {
  private let isHolding = Lock(false)
  private let isOver = Lock(false)

  /// Runs a closure while the tasks of a crowd are running.
  static func around<Result>(_ body: (Crowd) -> Result) -> Result {
    let crowd = Crowd()
    for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
      Task.detached(priority: .background) { await crowd.stay() }
    }
    defer {
      crowd.isOver.withLock { $0 = true }
      crowd.release()
    }
    return body(crowd)
  }

  /// Occupies a thread until the crowd releases its threads. After 4,000 short sleeps, releases all
  /// threads, because the level's next operation may need a thread. The limit is a number of sleeps
  /// instead of a duration, because each sleep takes longer on a loaded machine.
  private func stay() async {
    while !isOver.withLock({ $0 }) {
      var naps = 0
      while isHolding.withLock({ $0 }), naps < 4000 {
        usleep(50)
        naps += 1
      }
      if naps == 4000 { release() }
      await Task.yield()
    }
  }

  /// Calls an operation from a low-priority task. The tasks that the operation starts inherit the
  /// low priority. When the operation has settled, the crowd's tasks begin to occupy all
  /// low-priority threads.
  ///
  /// Before the call, this function releases all low-priority threads that were occupied after the
  /// previous write. If a get follows a write, the threads are already free. However, a shrunken
  /// program may have two writes without a get between them.
  func last<Value>(_ call: @escaping @Sendable () -> Promise<Value>) -> Promise<Value> {
    release()
    return Promise { continuation in
      Task.detached(priority: .background) {
        call().observed { outcome in
          self.isHolding.withLock { $0 = true }
          continuation.settle(outcome)
        }
      }
    }
  }

  /// Releases the threads, so other tasks can run again.
  func release() { isHolding.withLock { $0 = false } }
}

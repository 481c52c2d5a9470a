import Foundation
import Strata

/// Tasks that occupy all low-priority threads, so a task that a level starts runs after the next
/// operation.
///
/// The tasks yield to other tasks until a write has settled. Then each task occupies its thread
/// until the next operation has settled too. There are more tasks than threads, so some of them
/// wait in the queue ahead of the level's tasks.
final class Crowd: Sendable {
  private let isHolding = Lock(false)
  private let isOver = Lock(false)

  /// Runs a closure while the threads are busy.
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

  /// Occupies a thread until the threads are released. After 4,000 naps, releases all threads,
  /// because the level's next operation may need one. A nap takes longer on a loaded machine.
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

  /// Calls an operation from a low-priority task. The operation's tasks inherit that priority. When
  /// the operation ends, the crowd occupies all low-priority threads.
  func last<Value>(_ call: @escaping @Sendable () -> Promise<Value>) -> Promise<Value> {
    Promise { continuation in
      Task.detached(priority: .background) {
        call().observed { outcome in
          self.isHolding.withLock { $0 = true }
          continuation.settle(outcome)
        }
      }
    }
  }

  /// Lets other tasks run again.
  func release() { isHolding.withLock { $0 = false } }
}

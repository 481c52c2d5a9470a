import Foundation
import StrataVerbs

/// A crowd of tasks that occupies all low-priority threads after a write, until the next get
/// settles. In the meantime, a low-priority task that the tested level has started can't run.
///
/// While a write is in flight, each task of the crowd yields its thread to other tasks. Then it
/// occupies a thread until the next get settles or the next write begins. There are more such tasks
/// than threads, so some of them wait ahead of the level's tasks.
final class Crowd: Sendable {
  private static let turn = DispatchSemaphore(value: 1)
  private let isHolding = Lock(false)
  private let isOver = Lock(false)

  /// Runs a closure while the tasks of a crowd are running. If another check is running such a
  /// closure, first waits for its end. Otherwise, the tasks of several crowds together would delay
  /// a low-priority write longer than a law waits.
  static func around<Result>(_ body: (Crowd) -> Result) -> Result {
    turn.wait()
    defer { turn.signal() }
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

  /// Occupies a thread until the crowd releases its threads. After 4,000 short sleeps, releases the
  /// threads of the crowd itself, because the law's next get may need one to settle. It counts
  /// sleeps instead of time, because sleeps take longer on a loaded machine.
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

  /// Calls an operation from a low-priority task. Tasks that the operation creates inherit the low
  /// priority. After the operation settles, the crowd occupies all low-priority threads.
  ///
  /// Before the call, this function releases the threads that the crowd has occupied since an
  /// earlier write. The law also releases them after each get. But the search for a smaller
  /// violation may leave out the get between two writes.
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

import Foundation
import Strata

/// Tasks that keep all threads of low priority busy. If a level continues in a task after its
/// operation has settled, that task then runs later than the next operation.
enum Crowd {
  /// Runs a closure while the threads are busy.
  static func around<Result>(_ body: () -> Result) -> Result {
    let isOver = Lock(false)
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      Task.detached(priority: .background) {
        while !isOver.withLock({ $0 }) {
          Pauses.spin(microseconds: 50)
          await Task.yield()
        }
      }
    }
    defer { isOver.withLock { $0 = true } }
    return body()
  }

  /// Calls an operation from a task of low priority, which the tasks of the operation inherit.
  static func last<Value>(_ call: @escaping @Sendable () -> Promise<Value>) -> Promise<Value> {
    Promise { continuation in
      Task.detached(priority: .background) { call().observed { continuation.settle($0) } }
    }
  }
}

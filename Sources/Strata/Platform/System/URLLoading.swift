import Foundation

#if canImport(FoundationNetworking)
  // `URLRequest` and `URLSession` are part of Foundation on Apple's platforms. This import makes
  // them known to every file of the library and to its users, so no other file needs the condition.
  @_exported import FoundationNetworking
#endif

/// The differences between the two implementations of `URLSession`.
enum URLLoading {
  /// Whether `URLSession` belongs to swift-corelibs-foundation, which has the faults below.
  static var isCorelibs: Bool {
    #if canImport(FoundationNetworking)
      true
    #else
      false
    #endif
  }

  /// Makes the queue on which a session reports events.
  static func makeQueue() -> OperationQueue {
    #if canImport(FoundationNetworking)
      let queue = BoundedQueue()
    #else
      let queue = OperationQueue()
    #endif
    queue.name = "strata.network.delegate"
    queue.maxConcurrentOperationCount = 1
    return queue
  }

  /// Cancels a task on the queue on which its session reports events.
  ///
  /// On Linux, cancelling a task while the session reports the task's end ends the process, because
  /// the task has already left the session. On this queue, the session reports the end either
  /// before or after the cancellation.
  static func cancel(_ task: URLSessionTask, of session: URLSession) {
    #if canImport(FoundationNetworking)
      (session.delegateQueue as? BoundedQueue)?.cancel(task)
    #else
      task.cancel()
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// Makes the session wait while 64 pieces of bodies are queued.
  ///
  /// On Linux, each piece of a body becomes an operation. A piece has at most 16 KB, but the number
  /// of pieces is unbounded. The delegate never waits for the session, so the session's wait ends.
  /// Cancelling a task waits for the session, so the queue has no bound during that call.
  private final class BoundedQueue: OperationQueue, @unchecked Sendable {  // The condition guards.
    private let condition = NSCondition()
    private var free = 64
    private var isCancelling = false

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      condition.withLock {
        while free <= 0 && !isCancelling { condition.wait() }
        free -= 1
      }
      super.addOperation { [self] in
        block()
        condition.withLock { free += 1 }
        condition.signal()
      }
    }

    func cancel(_ task: URLSessionTask) {
      super.addOperation { [self] in
        condition.withLock { isCancelling = true }
        condition.signal()
        task.cancel()
        condition.withLock { isCancelling = false }
      }
    }
  }
#endif

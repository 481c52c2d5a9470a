import Foundation

#if canImport(FoundationNetworking)
  // `URLRequest` and `URLSession` are part of Foundation on Apple's platforms. This import makes
  // them visible to every file of Strata and to its users, so no other file needs the condition.
  @_exported import FoundationNetworking
#endif

/// Hides the differences between the two implementations of `URLSession`.
enum URLLoading {
  /// Whether `URLSession` is the implementation in swift-corelibs-foundation, which has the faults
  /// that this file works around.
  static var isCorelibs: Bool {
    #if canImport(FoundationNetworking)
      true
    #else
      false
    #endif
  }

  /// Creates the queue on which a session reports events.
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
  /// On Linux, the process crashes if a task is cancelled while the session reports the task's end,
  /// because the session has already removed the task. On this queue, the session reports the end
  /// either before or after the cancellation.
  static func cancel(_ task: URLSessionTask, of session: URLSession) {
    #if canImport(FoundationNetworking)
      (session.delegateQueue as? BoundedQueue)?.cancel(task)
    #else
      task.cancel()
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// A queue that makes the session wait while 64 pieces of response bodies are queued.
  ///
  /// On Linux, each piece of a body becomes an operation. A piece has at most 16 KB, but the number
  /// of pieces is unbounded. The delegate never waits for the session, so the session can't wait
  /// forever. Cancelling a task does wait for the session, so the queue has no bound during that
  /// call.
  private final class BoundedQueue: OperationQueue, @unchecked Sendable {
    // Unchecked: the condition guards the state.
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

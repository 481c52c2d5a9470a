import Foundation

/// Hides the differences between Apple's `URLSession` and that of swift-corelibs-foundation.
enum URLLoading {
  /// Whether `URLSession` comes from swift-corelibs-foundation, whose faults this file works
  /// around.
  static var isCorelibs: Bool {
    #if canImport(FoundationNetworking)
      true
    #else
      false
    #endif
  }

  /// Returns why a request can't be sent on a platform whose transports can't choose the network.
  /// Returns `nil` if all settings of the request have an effect.
  static func unsupportedSetting(of request: URLRequest) -> String? {
    #if canImport(FoundationNetworking)
      request.allowsCellularAccess ? nil : "this platform can't honor its allowsCellularAccess"
    #else
      nil
    #endif
  }

  /// Returns why the requests of a configuration can't be sent. Returns `nil` if all settings of
  /// the configuration have an effect.
  static func unsupportedSetting(of configuration: URLSessionConfiguration) -> String? {
    #if canImport(FoundationNetworking)
      if !configuration.allowsCellularAccess {
        return "this platform can't honor the configuration's allowsCellularAccess"
      }
      if configuration.connectionProxyDictionary?.isEmpty == false {
        return "this platform ignores the configuration's connectionProxyDictionary; "
          + "set the variable http_proxy or https_proxy instead"
      }
    #endif
    return nil
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

  /// Cancels a task of a session. On Linux, this happens on the queue on which the session reports
  /// events.
  ///
  /// On Linux, a session removes a task before it reports the task's end. When the task is
  /// cancelled in between, the process crashes. But the queue runs one operation at a time, so the
  /// session can't report an end during the cancellation.
  static func cancel(_ task: URLSessionTask, of session: URLSession) {
    #if canImport(FoundationNetworking)
      (session.delegateQueue as? BoundedQueue)?.cancel(task)
    #else
      task.cancel()
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// A queue that makes the session wait while the queue holds 64 pieces of response bodies.
  ///
  /// On Linux, each piece of a body becomes an operation in the queue. Pieces have at most 16 KB,
  /// but `URLSession` itself doesn't limit the number of pieces. Operations of the delegate never
  /// wait for the session, so they can't cause a deadlock. But the cancellation of a transfer
  /// blocks the queue until the session accepts the cancellation. Meanwhile, the queue accepts any
  /// number of pieces, because otherwise it and the session would wait for each other.
  private final class BoundedQueue: OperationQueue, @unchecked Sendable {
    // The class is `@unchecked Sendable`, because `condition` guards the mutable state.
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

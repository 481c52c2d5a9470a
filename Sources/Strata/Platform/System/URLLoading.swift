import Foundation

#if canImport(FoundationNetworking)
  // `URLRequest` and `URLSession` are part of Foundation on Apple's platforms. This import makes them
  // known to every file of the library and to its users, so no other file needs the condition.
  @_exported import FoundationNetworking
#endif

/// The differences between the two implementations of `URLSession`.
enum URLLoading {
  /// Whether `URLSession` is the one of swift-corelibs-foundation, with its faults.
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
}

#if canImport(FoundationNetworking)
  /// Makes the session wait while 64 pieces of bodies are queued.
  ///
  /// On Linux each piece of at most 16 KB becomes an operation, without a bound. The delegate never
  /// waits for the session, so the session's wait ends.
  private final class BoundedQueue: OperationQueue, @unchecked Sendable {  // Like its superclass.
    private let slots = DispatchSemaphore(value: 64)

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      slots.wait()
      super.addOperation { [slots] in
        block()
        slots.signal()
      }
    }
  }
#endif

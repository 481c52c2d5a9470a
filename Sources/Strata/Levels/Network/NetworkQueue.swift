import Dispatch
import Foundation

/// The queue on which a session tells what arrives.
enum NetworkQueue {
  static func make() -> OperationQueue {
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
  /// Makes the session wait when more than a few chunks are on their way to the delegate.
  ///
  /// On Linux each chunk of at most 16 KB becomes an operation, without bound: when the delegate
  /// gets less of the processor than the decoder, a bomb piles up before it. The delegate calls no
  /// user code and never waits for the session, so the waiting ends.
  private final class BoundedQueue: OperationQueue, @unchecked Sendable {  // As its superclass is.
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

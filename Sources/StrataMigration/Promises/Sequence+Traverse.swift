import StrataVerbs
import Synchronization

extension Sequence {
  /// Starts a promise for each element, without waiting for the earlier ones. Returns a promise of
  /// all values.
  ///
  /// Values are in the order of the elements. At the first failure or cancellation, the result
  /// settles, and no further promise is started. The work of the others stops, unless another
  /// caller needs it.
  ///
  ///     let pages = ["a", "b"].traverse { network.get($0) }  // a promise of two values
  ///
  /// - Parameter transform: A closure that starts the work for one element. It's called once per
  ///   element, in order, on the caller's thread. When it throws an error, the result fails with
  ///   this error.
  /// - Complexity: O(n).
  /// - Law: `xs.traverse(f) == xs.map(f).mergeAll()`. See
  ///   `SequenceTraverseTests.testAllStartConcurrentlyAndNoMoreAfterAFailure`.
  public func traverse<Value>(
    _ transform: (Element) throws -> Promise<Value>
  ) -> Promise<[Value]> {
    let end = End()
    var promises: [Promise<Value>] = []
    for element in self {
      do { promises.append(try transform(element)) } catch {
        promises.append(Promise(error: error))
      }
      promises[promises.count - 1].observed { outcome in
        if outcome.value == nil { end.hasCome.store(true, ordering: .relaxed) }
      }
      if end.hasCome.load(ordering: .relaxed) { break }
    }
    return promises.mergeAll()
  }
}

/// Whether a promise of a sequence has failed or was cancelled.
private final class End: Sendable {
  let hasCome = Atomic(false)
}

import Dispatch

@testable import StrataCore
@testable import StrataVerbs

/// Calls a function for each index, on all processors, and returns the results in the order of the
/// indices.
func concurrentMap<Result: Sendable>(
  _ count: Int, _ result: @Sendable (Int) -> Result
) -> [Result] {
  let results = Lock<[Int: Result]>([:])
  DispatchQueue.concurrentPerform(iterations: count) { index in
    let value = result(index)
    results.withLock { $0[index] = value }
  }
  return results.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
}

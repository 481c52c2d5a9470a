import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of broadcasts.
final class BroadcastFaultTests: FaultCase {
  private typealias Change = CacheChange<Int>

  /// Returns the laws for a simple broadcast. The broadcast reports writes in the order in which
  /// they settle, and reports each `clear` only if `tellsOfClears` is true.
  private func naive(tellsOfClears: Bool = true) -> Laws {
    .broadcasts { level in
      let streams = Box<[(Int, AsyncStream<Change>.Continuation)]>([])
      let tell: @Sendable (Int?, Change) -> Void = { key, change in
        for (other, listener) in streams.value where key == nil || key == other {
          listener.yield(change)
        }
      }
      let telling: @Sendable (Int?, Change, Promise<Void>) -> Promise<Void> = {
        key, change, write in
        write.observed { if case .success = $0 { tell(key, change) } }
      }
      let cache = Cache<Int, Int>(
        get: level.get, set: { key, value in telling(key, .stored(value), level.set(key, value)) },
        remove: { key in telling(key, .removed, level.remove(key)) },
        clear: { tellsOfClears ? telling(nil, .removed, level.clear()) : level.clear() },
        memoryWarning: level.memoryWarning)
      return (
        cache,
        { key in
          let (stream, listener) = AsyncStream<Change>.makeStream()
          streams.update { $0.append((key, listener)) }
          return stream
        }
      )
    }
  }

  func testChangesReportedInTheOrderOfTheirSettling() {
    expectCaught("unordered", by: naive(), as: "broadcasts.order", alone: true)
  }

  func testAClearThatIsNotReported() {
    expectCaught("silentClear", by: naive(tellsOfClears: false), as: "broadcasts.completeness")
  }

  func testABroadcastThatLosesWarnings() {
    expectCaught(
      "losesWarnings",
      by: .broadcasts { level in
        let (inner, changes) = level.broadcasting()
        let cache = Cache<Int, Int>(
          get: inner.get, set: inner.set, remove: inner.remove, clear: inner.clear)
        return (cache, { changes.stream(for: $0, bufferingNewest: 64) })
      }, as: "broadcasts.sequence", alone: true)
  }
}

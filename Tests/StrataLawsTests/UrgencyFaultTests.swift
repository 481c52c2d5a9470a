import StrataCore
import StrataLaws
import StrataVerbs
import XCTest

/// Checks that the laws catch faults in the priorities of limits.
final class UrgencyFaultTests: FaultCase {
  func testALimitThatIgnoresPriorities() {
    expectCaught(
      "callOrder",
      by: .urgency { cache, count, _ in
        cache.limited(toConcurrentGets: count) { _ in .medium }
      }, as: ["urgency.order", "urgency.raise"])
  }

  func testALimitThatServesTheLatestGetOfAPriority() {
    expectCaught(
      "lastFirst",
      by: .urgency { cache, count, priority in
        let last = Box<UInt8>(0)
        return cache.limited(toConcurrentGets: count) { key in
          let later = last.update { last in
            last = min(last + 1, 3)
            return last
          }
          return TaskPriority(rawValue: priority(key).rawValue + later)
        }
      }, as: "urgency.fairness")
  }

  func testALoadThatIsNotRaised() {
    expectCaught(
      "neverRaised",
      by: .urgency { cache, count, priority in
        let loads = Box<[Int: TaskPriority]>([:])
        let counted = cache.transformingGet("counted") { get in
          { key in
            loads.update { $0[key] = nil }
            return get(key)
          }
        }
        return counted.limited(toConcurrentGets: count) { key in
          let now = priority(key)
          return loads.update { loads in
            let first = loads[key] ?? now
            loads[key] = first
            return first
          }
        }
      }, as: "urgency.raise", alone: true)
  }

  func testAPermitThatIsFreeBeforeItsTaskHasEnded() {
    expectCaught(
      "freeAtOnce",
      by: .urgency { cache, count, priority in
        let limited = cache.transformingGet("detached") { get in
          { key in
            Promise { continuation in
              // A limit counts the tasks that begin on its own thread.
              let answer = Thread.runElsewhere { get(key) }
              continuation.onCancel { answer.cancel() }
              answer.observed { continuation.settle($0) }
            }
          }
        }
        return limited.limited(toConcurrentGets: count, priority: priority)
      }, as: "urgency.tasks", alone: true)
  }
}

extension Thread {
  /// Runs a closure on another thread, and waits for its result.
  fileprivate static func runElsewhere<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) -> Result {
    let (result, end) = (Box<Result?>(nil), DispatchSemaphore(value: 0))
    detachNewThread {
      result.update { $0 = work() }
      end.signal()
    }
    end.wait()
    guard let result = result.update({ $0 }) else { fatalError("The thread has no result.") }
    return result
  }
}

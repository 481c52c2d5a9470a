import Strata
import StrataLaws

/// Checks that the laws catch faults in circuit breakers.
final class CircuitFaultTests: FaultCase {
  func testACircuitThatNeverOpens() {
    expectCaught("neverOpens", by: .circuit { cache, _, _, _ in cache }, as: "circuit.definition")
  }

  func testACircuitThatCountsAMissAsAFailure() {
    expectCaught(
      "countsMisses",
      by: .circuit { cache, failures, delay, time in
        let failing = cache.transformingGet("failing") { get in
          { key in
            get(key).recover { error -> Promise<Int> in
              throw error.isMiss ? CacheError.abandoned : error
            }
          }
        }
        return failing.breakingCircuit(
          after: .failures(failures), retryAfter: .milliseconds(delay), clock: time)
      }, as: "circuit.definition")
  }

  func testACircuitThatCountsARejectionAsASuccess() {
    expectCaught(
      "countsRejections",
      by: .circuit { cache, failures, delay, time in
        let missing = cache.transformingGet("missing") { get in
          { key in
            get(key).recover { error -> Promise<Int> in
              throw error.isAbsence || !error.isMiss ? error : CacheError.notFound
            }
          }
        }
        return missing.breakingCircuit(
          after: .failures(failures), retryAfter: .milliseconds(delay), clock: time)
      }, as: ["circuit.transparency", "circuit.definition"])
  }

  func testACircuitThatOpensTooEarly() {
    expectCaught(
      "opensEarly",
      by: .circuit { cache, _, delay, time in
        cache.breakingCircuit(
          after: .failures(1), retryAfter: .milliseconds(delay), clock: time)
      }, as: ["circuit.transparency", "circuit.definition"])
  }
}

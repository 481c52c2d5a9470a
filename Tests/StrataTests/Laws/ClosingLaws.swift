import StrataCore
import StrataLaws
import StrataVerbs
import XCTest

/// Checks that the work of every level reaches the caches above it, through each verb.
final class ClosingLaws: XCTestCase {
  private typealias Verb = @Sendable (Cache<Int, Int>) -> Cache<Int, Int>

  func testASumIsDrainedAndClosed() async throws {
    try await checkTogether(.closing, cases: Extent.cases(200))
  }

  func testEachVerbAboveALoadPassesItsWorkOn() async throws {
    let verbs: [Verb] = [
      { $0.retrying(2) }, { $0.limited(toConcurrentGets: 1) }, { $0.named("a") },
      { $0.breakingCircuit(after: .failures(3), retryAfter: .seconds(1)) },
      { $0.timingOut(after: .seconds(1)) },
      { $0.rememberingMisses(for: .seconds(1)) }, { $0.observed { _ in } },
      { Cache.switching($0, $0) { _ in .first } }, { $0.clocked(by: .system) },
      { $0.recovering { _, error in throw error } }, { $0.holding(RunningWork(.steps)) },
      { ($0 + .empty).awaitedInSum(atMost: .seconds(2)) },
    ]
    for verb in verbs {
      let pipeline: Laws.Pipeline = { memory, store, origin in
        memory + verb(store + verb(origin))
      }
      try await checkTogether(.closing(pipeline), cases: Extent.cases(20))
    }
  }

  func testEachVerbAboveASumPassesItsWorkOn() async throws {
    let verbs: [Verb] = [
      { cache in cache.mapKeys { (key: Int) in key } }, { $0 <*> .identity }, { $0.pooled() },
      { $0.named("a").observed { _ in } },
      { $0.broadcasting().cache }, { $0.conditioned { _ in true } },
      { $0.holding(RunningWork(.steps)) },
      { $0.postProcessed { _, value in value } },
    ]
    for verb in verbs {
      let pipeline: Laws.Pipeline = { memory, store, origin in
        verb(memory + (store + origin).pooled())
      }
      try await checkTogether(.closing(pipeline), cases: Extent.cases(20))
    }
  }
}

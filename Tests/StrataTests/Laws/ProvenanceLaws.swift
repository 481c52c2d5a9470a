import StrataCore
import StrataLaws
import StrataVerbs
import XCTest

/// Checks that gets with provenance name the level that answered, through each verb.
final class ProvenanceLaws: XCTestCase {
  private typealias Verb = @Sendable (Cache<Int, Int>) -> Cache<Int, Int>

  func testASumTellsWhichLevelAnswered() async throws {
    try await checkTogether(.provenance, cases: Extent.cases(300))
  }

  func testEachVerbPassesItOn() async throws {
    let verbs: [Verb] = [
      { $0.retrying(2) }, { $0.limited(toConcurrentGets: 1) }, { $0.named("a").observed { _ in } },
      { $0.timingOut(after: .seconds(1)) }, { $0.pooled() }, { $0 <*> .identity },
      { $0.rememberingMisses(for: .seconds(1)) }, { cache in cache.mapKeys { (key: Int) in key } },
      { Cache.switching($0, $0) { _ in .first } }, { $0.broadcasting().cache },
      { $0.recovering { _, error in throw error } }, { $0.conditioned { _ in true } },
      { $0.breakingCircuit(after: .failures(3), retryAfter: .seconds(1)) },
    ]
    for verb in verbs {
      let pipeline: Laws.Pipeline = { memory, store, origin in
        memory + verb(store + origin).pooled()
      }
      try await checkTogether(.provenance(pipeline), cases: Extent.cases(20))
    }
  }
}

import Foundation
import Strata
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that each verb that claims to be transparent keeps what a cache declares.
final class TransparentTraitsTests: XCTestCase {
  private typealias Verb = (String, (Cache<Int, Int>) -> Cache<Int, Int>)

  private let verbs: [Verb] = [
    ("named", { $0.named("a") }), ("observed", { $0.observed { _ in } }),
    ("awaitedInSum", { $0.awaitedInSum(atMost: .seconds(9)) }),
    ("named and observed", { $0.named("a").observed { _ in }.observed { _ in } }),
    ("clocked", { $0.clocked(by: TimeSource.manual().clock) }),
  ]

  private var caches: [(String, Cache<Int, Int>)] {
    let clock = TimeSource.manual().clock
    let disk =
      { (key: Int) in "\(key)" } <^> Cache<String, Data>.disk("traits")
      <*> Codec<Data, Int>(
        decode: { $0.count }, encode: { Data(count: $0) })
    let many = Cache<Int, Int>(
      as: .origin, capacity: .count(3), getMany: { Promise(Dictionary($0.map { ($0, 1) }) { $1 }) },
      get: { Promise($0) }, set: { _, _ in Promise() })
    return [
      ("many", many), ("disk", disk), ("fetcher", Fetcher { Promise($0) }), ("empty", .empty),
      ("clocked", many.clocked(by: clock)), ("sum", .memory() + many),
      ("pooled sum", (disk + many).pooled()),
      ("kept", Cache(keepsOrder: true, get: { Promise($0) }, set: { _, _ in Promise() })),
    ]
  }

  /// What a cache declares, as text.
  private func traits(_ cache: Cache<Int, Int>) -> [String] {
    let metadata = cache.metadata
    return [
      "reads only: \(metadata.isReadOnly)", "has an origin: \(cache.plan.node.hasOrigin)",
      "leaves the main thread: \(cache.plan.node.isOffMainThread)",
      "keeps order: \(metadata.conduct.keepsOrder)", "is a sum: \(metadata.conduct.isSum)",
      "is prompt: \(metadata.conduct.isPrompt)", "adds no time: \(metadata.conduct.addsNoTime)",
      "gets many: \(metadata.bulk != nil)",
      "has tickets: \(metadata.tickets != nil)", "source: \(cache.source.request != nil)",
    ]
  }

  func testTransparentVerbsKeepEveryTrait() {
    for (name, verb) in verbs {
      for (kind, cache) in caches {
        XCTAssertEqual(traits(verb(cache)), traits(cache), "\(kind).\(name)")
        guard name != "clocked" else { continue }
        XCTAssertEqual(verb(cache).metadata.clock == nil, cache.metadata.clock == nil, name)
      }
    }
  }

  func testTransparentVerbsKeepTheStorage() {
    for (name, verb) in verbs {
      for (kind, cache) in caches {
        XCTAssertTrue(verb(cache).source.storage === cache.source.storage, "\(kind).\(name)")
      }
    }
  }

  func testAnEqualNameChangesNothing() {
    let level = Cache<Int, Int>.memory()
    for kind in ["disk", "named", "dispatched", "empty", "observed"] {
      let verb = level.transforming(CachePlan.Kind(kind), ["": .text("x")]) { $0 }
      XCTAssertFalse(verb.plan.node.isOffMainThread, kind)
      XCTAssertNil(verb.plan.node.traits.name, kind)
      XCTAssertEqual((verb + level).plan.children.count, 2, kind)
    }
  }
}

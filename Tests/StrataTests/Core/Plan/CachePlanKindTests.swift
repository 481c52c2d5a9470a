import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class CachePlanKindTests: XCTestCase {
  func testASwitchOverKindsHasADefault() {
    let name: (CachePlan) -> String = { plan in
      switch plan.kind {
      case "pooled": "a pool"
      case "memory": "memory"
      default: "another"
      }
    }
    let memory = Cache<Int, Int>.memory()
    let plans = [memory.pooled().plan, memory.plan, .verb(memory.plan, "checked")]
    XCTAssertEqual(plans.map(name), ["a pool", "memory", "another"])
  }

  func testEachVerbStatesItsKindAndTypedArguments() {
    let memory = Cache<Int, Int>.memory()
    let stamped: Cache<Int, Stamped<Int>> = .memory()
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }
    let date = TimeSource.Instant(sinceEpoch: .seconds(60))
    let plans: [(CachePlan, CachePlan.Kind, CachePlan.Arguments)] = [
      (memory.pooled().plan, .pooled, [:]),
      (memory.named("a").plan, .named, [nil: .text("a")]),
      (memory.observed { _ in }.plan, .observed, [:]),
      (memory.limited(toConcurrentGets: 2).plan, "limited", ["toConcurrentGets": .count(2)]),
      (memory.timingOut(after: .seconds(2)).plan, "timingOut", ["after": .duration(.seconds(2))]),
      (
        stamped.expiring(after: .seconds(2), jitter: 0.5).plan, .expiring,
        ["after": .duration(.seconds(2)), "jitter": .fraction(0.5)]
      ),
      (stamped.expiring(at: date).plan, .expiring, ["at": .date(date)]),
      (stamped.expiring { _, _ in nil }.plan, .expiring, [nil: .name("each")]),
      (stamped.aged(atMost: .seconds(3)).plan, .aged, ["atMost": .duration(.seconds(3))]),
      (
        stamped.refreshing(Freshness(for: .seconds(4)), from: fetcher).plan, .refreshing,
        [nil: .duration(.seconds(4)), "from": .plan(fetcher.plan)]
      ),
      (memory.updating(from: fetcher).plan, "updating", ["from": .plan(fetcher.plan)]),
      (
        memory.rememberingMisses(for: .seconds(5)).plan, "rememberingMisses",
        ["for": .duration(.seconds(5))]
      ),
      (memory.conditioned { _ in true }.plan, .conditioned, [:]),
      (memory.recovering { _, _ in 0 }.plan, .recovering, [:]),
      (memory.batched().plan, "batched", [:]),
      (
        Fetcher<Int, Int>.bulkLoading(window: .zero) { _ -> Promise<[Int: Int]> in Promise([:]) }
          .plan,
        .bulkLoading, [:]
      ),
    ]
    for (plan, kind, arguments) in plans {
      XCTAssertEqual(plan.form, .verb, "\(plan)")
      XCTAssertEqual(plan.kind, kind, "\(plan)")
      XCTAssertEqual(plan.arguments, arguments, "\(plan)")
    }
  }

  func testEachLevelStatesItsRoleAndItsCapacity() {
    let bytes: Cache<Int, Data> = .memory(capacity: .bytes(64 << 20))
    let plans: [(CachePlan, CachePlan.Role, CachePlan.Value?)] = [
      (Cache<Int, Int>.memory().plan, .memory, .count(1000)),
      (bytes.plan, .memory, .bytes(64 << 20)),
      (Cache<Int, Int>.dictionary().plan, .memory, nil),
      (Cache<Int, Int>.constant(1).plan, .constant, nil),
      (Cache<Int, Int>.failing(CacheError.notFound).plan, .constant, nil),
      (Cache<Int, Int>.empty.plan, .constant, nil),
      (Fetcher<URL, Data>.network().plan, .origin, nil),
      (Fetcher<Int, Int>(offMainThread: false) { $0 }.plan, .origin, nil),
      (Cache<Int, Int>(get: { _ in 1 }, set: { _, _ in }).plan, .storage, nil),
    ]
    for (plan, role, capacity) in plans {
      XCTAssertEqual(plan.form, .level(role), "\(plan)")
      XCTAssertEqual(plan.arguments[nil], capacity, "\(plan)")
    }
  }
}

import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Visits every state of small programs over `CallOrder`. The variable `STRATA_ORDER=all`, which
/// `.ci/nightly` sets, adds larger programs. `Tests/STATES.md` lists the numbers of states.
final class CallOrderTests: XCTestCase {
  private static let isNightly = ProcessInfo.processInfo.environment["STRATA_ORDER"] == "all"

  private func check(_ scopes: [OrderScope]) {
    let results = concurrentMap(scopes.count) { index in
      let explorer = OrderExplorer(scopes[index]).run()
      return (violation: explorer.violation, states: explorer.states)
    }
    for (scope, result) in zip(scopes, results) {
      XCTAssertNil(result.violation, scope.name)
      if Self.isNightly { print("\(scope.name): \(result.states) states") }
    }
  }

  func testSmallScopesHold() { check(OrderScope.small) }

  private final class Key: Sendable {}

  func testAClearThatOutranASetDoesNotShowItsKey() {
    var order = CallOrder(levels: 1)
    let set = order.begin(1).ticket
    let clear = order.begin(nil).ticket
    _ = order.leave(clear, nil, .write, nil)
    XCTAssertNil(order.leave(set, 1, .write, Key()))
    order.answered(.success, set, 1, in: 0, [])
    order.answered(.success, clear, nil, in: 0, [])
    XCTAssertNotNil(order.skip(1, in: 0), "The level may have applied the set after the clear.")
    order.end(set, 1)
    order.end(clear, nil)
    let repair = order.repair(1)
    XCTAssertEqual(repair?.levels.map(\.level), [0])
  }

  func testAKeyThatIsHiddenDuringItsRemovalIsRemovedAgain() throws {
    var order = CallOrder(levels: 1)
    let (key, set) = (Key(), order.begin(1).ticket)
    _ = order.leave(set, 1, .write, key)
    order.answered(.failure(isRefusal: false), set, 1, in: 0, [key])
    order.end(set, 1)
    let removal = try XCTUnwrap(order.repair(1))
    let parked = order.begin(1)
    XCTAssertFalse(parked.mayCall)
    XCTAssertTrue(order.expire(parked.ticket, 1, [key]))
    XCTAssertNil(order.leave(removal.ticket, 1, .repair, nil))
    order.answered(.success, removal.ticket, 1, in: 0, [key])
    XCTAssertNotNil(order.skip(1, in: 0), "The expired write came after the removal.")
    XCTAssertNotNil(order.repair(1))
  }

  func testLargeScopesHold() throws {
    try XCTSkipUnless(Self.isNightly, "Run .ci/nightly for the large scopes.")
    check(OrderScope.large)
  }

  func testPlantedFaultsAreFound() {
    let faults = Array(OrderFault.allCases)
    let found = concurrentMap(faults.count) { index in
      // Most faults show in the first states of some scope, so all states of each come last.
      [200, 5_000_000].contains { limit in
        OrderScope.small.contains {
          OrderExplorer($0.planting(faults[index])).run(limit: limit).violation != nil
        }
      }
    }
    for (fault, isFound) in zip(faults, found) { XCTAssertTrue(isFound, "\(fault)") }
  }
}

extension OrderScope {
  static let small = [
    OrderScope("set get", "s0;g0") { $0.evicts = [0, 1] },
    OrderScope("set remove", "s0;r0") { $0.evicts = [0] },
    OrderScope("set get get, a pool, upper synchronous", "s0;g0 g0") {
      ($0.evicts, $0.sync, $0.pools) = ([0], [0], true)
    },
    OrderScope("pool: (set get) get, synchronous", "s0 g0;g0") {
      ($0.evicts, $0.sync, $0.pools) = ([0], [0], true)
    },
    OrderScope("set (set get), synchronous", "s0;s0 g0") { $0.sync = [0, 1] },
    OrderScope("set! get, two failures, synchronous", "s0! g0;s0") {
      ($0.evicts, $0.sync, $0.failures, $0.keeps) = ([0], [0, 1], 2, true)
    },
    OrderScope("set! get, late, failure", "s0! g0") {
      ($0.failures, $0.lates, $0.evicts) = (1, 1, [0])
    },
    OrderScope("set clear get, synchronous", "s0;c;g0") { ($0.sync, $0.evicts) = ([0, 1], [0]) },
    OrderScope("set clear! get, failure, synchronous", "s0;c! g0") {
      ($0.sync, $0.failures) = ([0, 1], 1)
    },
    OrderScope("set (set! get), a call blocks", "s0;s0! g0") { ($0.blocks, $0.sync) = (1, [0]) },
    OrderScope("set (set! get), late, synchronous", "s0;s0! g0") {
      ($0.lates, $0.sync) = (1, [0, 1])
    },
    OrderScope("set set (set get), synchronous", "s0;s0;s0 g0") { $0.sync = [0, 1] },
    OrderScope("set clear! get, an empty table, failure, synchronous", "s0;c! g0") {
      ($0.sync, $0.failures, $0.capacity) = ([0, 1], 1, 0)
    },
    OrderScope("two keys, a table of one entry, failures", "s0! s1! g0 g1") {
      ($0.keys, $0.sync, $0.failures, $0.capacity) = (2, [0, 1], 2, 1)
    },
    OrderScope("set! set get, late and failure, upper synchronous", "s0! s0! g0") {
      ($0.sync, $0.failures, $0.delays) = ([0], 1, true)
    },
    OrderScope("two keys, equal hashes, failure", "s0! g0;s1") {
      ($0.keys, $0.sync, $0.failures, $0.sameHash) = (2, [0, 1], 1, true)
    },
    OrderScope("get get, asynchronous", "g0;g0") { $0.evicts = [0] },
  ]

  static let large = [
    OrderScope("one level: clear (set clear! get), failure, delayed", "c;s0 c! g0") {
      ($0.levels, $0.failures, $0.delays) = (1, 1, true)
    },
    OrderScope("set get get, asynchronous", "s0;g0;g0") { $0.evicts = [0] },
    OrderScope("set set get, asynchronous", "s0;s0;g0") { $0.evicts = [0] },
    OrderScope("(set get) (set get), upper synchronous", "s0 g0;s0 g0") {
      ($0.evicts, $0.sync) = ([0], [0])
    },
    OrderScope("set! get get, failure, upper synchronous", "s0! g0;g0") {
      ($0.evicts, $0.sync, $0.failures) = ([0], [0], 1)
    },
    OrderScope("set! get! get, two failures, synchronous", "s0! g0! g0;s0") {
      ($0.evicts, $0.sync, $0.failures) = ([0], [0, 1], 2)
    },
    OrderScope("three levels: set! get, failure", "s0! g0;g0") {
      ($0.levels, $0.sync, $0.failures, $0.evicts) = (3, [0, 1, 2], 1, [0, 1])
    },
    OrderScope("two keys, equal hashes, two failures", "s0! g0;s1! g1") {
      ($0.keys, $0.sync, $0.failures, $0.sameHash) = (2, [0, 1], 2, true)
    },
    OrderScope("set set! get, failure, lower synchronous", "s0;s0! g0") {
      ($0.sync, $0.failures, $0.evicts) = ([1], 1, [0])
    },
    OrderScope("two keys: set0 clear (set1 get0), synchronous", "s0;c;s1 g0") {
      ($0.keys, $0.sync, $0.evicts) = (2, [0, 1], [0])
    },
    OrderScope("set clear! get, late, asynchronous", "s0;c! g0") { $0.lates = 1 },
    OrderScope("set set clear get, synchronous", "s0;s0 c g0") { $0.sync = [0, 1] },
    OrderScope("set (set! get), failure, delayed reports", "s0;s0! g0") {
      ($0.sync, $0.failures, $0.delays) = ([0], 1, true)
    },
    OrderScope("set! get get get, two failures, late", "s0! g0 g0;g0") {
      ($0.sync, $0.failures, $0.lates) = ([0], 2, 1)
    },
    OrderScope("set get get, failure, delayed reports", "s0;g0;g0") {
      ($0.sync, $0.failures, $0.delays, $0.evicts) = ([0], 1, true, [0])
    },
    OrderScope("set (clear! get), failure, asynchronous above", "s0;c! g0") {
      ($0.sync, $0.failures, $0.evicts) = ([1], 1, [0])
    },
    OrderScope("pool: (set get) (get get)", "s0 g0;g0 g0") { ($0.evicts, $0.pools) = ([0], true) },
    OrderScope("pool: (clear get) get get", "c g0;g0;g0") {
      ($0.evicts, $0.pools, $0.sync) = ([0], true, [0])
    },
    OrderScope("set remove get, asynchronous", "s0;r0;g0") { $0.evicts = [0] },
  ]
}

import Foundation
import XCTest

@testable import strata_tool

/// Tests each policy with short traces. In a trace, a capital letter is a request that must be a
/// hit.
final class PolicyTests: XCTestCase {
  func testLRUKeepsTheMostRecentlyUsed() throws {
    try assert(.lru, at: 2, "a b A c A b c")
  }

  func testFIFOIsNotMovedByAHit() throws {
    try assert(.fifo, at: 2, "a b A c a C b")
  }

  func testTheClockGivesASecondChance() throws {
    // A hit saves a key from eviction once. In the first trace, the request for `c` evicts `b`,
    // because `a` had a hit. In the second trace, the request for `d` evicts `c`, because `a` and
    // `b` had hits. The eviction of `c` clears the bits of `a` and `b`, so the request for `e`
    // evicts `a`.
    try assert(.clock, at: 2, "a b A c A b c a")
    try assert(.clock, at: 3, "a b c A B d e a f b")
  }

  func testSieveSparesInPlace() throws {
    // The request for `d` evicts `b`, because the older key `a` had a hit. The next eviction
    // continues with the key after `b`, so the request for `e` evicts `c` instead of the oldest
    // key, `a`.
    try assert(.sieve, at: 3, "a b c A d e A D E")
  }

  func testS3FIFOKeepsALoopOutOfItsMainQueue() throws {
    // Ten keys fill the cache. The policy then evicts keys from the small queue, but keeps a key
    // with two hits.
    let fill = (0..<10).map { "k\($0)" }
    let trace = fill + ["k0", "k0"] + (0..<40).map { "once\($0)" } + ["k0", "k9"]
    XCTAssertEqual(try hits(.s3fifo, at: 10, trace).suffix(2), [true, true])
    XCTAssertEqual(try hits(.fifo, at: 10, trace).suffix(2), [false, false])
  }

  func testTheReferenceKeepsFrequentKeysAndAPartOfALoop() throws {
    let (popular, loop) = try (share(.reference, Self.popular), share(.reference, Self.cycle))
    XCTAssertEqual(popular, 0.5, accuracy: 0.05)
    XCTAssertEqual(loop, 0.4, accuracy: 0.05)
    XCTAssertEqual(try share(.lru, Self.cycle), 0)
  }

  func testTinyLFUAdmitsByFrequencyAndClimbsToAWideWindow() throws {
    XCTAssertEqual(try share(.tinyLFU, Self.popular), 0.5, accuracy: 0.05)
    // Each key occurs twice, with 20 other requests in between. New keys enter the policy's window,
    // and a small window loses a key before the second request.
    let pairs = (0..<80_000).map { "p\($0 % 2 == 0 ? $0 / 2 : max(0, $0 / 2 - 10))" }
    XCTAssertGreaterThan(try share(.tinyLFU, pairs), 0.35)
  }

  /// A trace in which every second request has one of twenty popular keys. All other requests have
  /// new keys.
  private static let popular = (0..<20_000).map { $0 % 2 == 0 ? "k\($0 / 2 % 20)" : "\($0)" }
  private static let cycle = (0..<20_000).map { "\($0 % 100)" }

  private func share(_ policy: Policy, _ keys: [String]) throws -> Double {
    Double(try hits(policy, at: 40, keys).count { $0 }) / Double(keys.count)
  }

  func testTheOptimumKeepsTheSoonestNextRequests() throws {
    try assert(.optimum, at: 2, "a b c A B c A B")
    try assert(.optimum, at: 1, "a b A c A")
  }

  func testNoPolicyBeatsTheOptimumAndAllHitIfEverythingFits() throws {
    var random = SplitMix(state: 7)
    let keys = (0..<4_000).map { _ in
      "\(min(Int.random(in: 0..<300, using: &random), Int.random(in: 0..<300, using: &random)))"
    }
    let best = try hits(.optimum, at: 60, keys).count { $0 }
    for policy in Policy.unsized {
      let hits = try hits(policy, at: 60, keys).count { $0 }
      XCTAssertLessThanOrEqual(hits, best, policy.rawValue)
      XCTAssertGreaterThan(hits, 400, policy.rawValue)
      let all = try self.hits(policy, at: 400, keys).count { $0 }
      XCTAssertEqual(all, keys.count - Set(keys).count, policy.rawValue)
    }
  }

  func testTheKneeIsWhereTheCurveBends() throws {
    let keys = (0..<1_000).map { "\($0 % 2 == 0 ? $0 % 20 : $0)" }
    let trace = try RequestTrace(name: "", Array(keys.joined(separator: "\n").utf8), file: "")
    let replay = Replay(trace, [2, 12, 200, 500].map(TraceCapacity.entries), [.optimum])
    XCTAssertEqual(replay.knee, 1)
    XCTAssertNil(Replay(trace, [.entries(2), .entries(12)], [.lru]).knee)
    XCTAssertNil(Replay(trace, [12, 200, 500].map(TraceCapacity.entries), [.optimum]).knee)
  }

  func testTheKneeIsTheSmallestCapacityBeforeAGainOfTwoPoints() {
    func knee(_ ratios: [Double], at capacities: [Int] = [10, 20, 50, 100]) -> Int? {
      Replay.knee(of: ratios, at: capacities)
    }
    XCTAssertNil(knee([0.1, 0.2, 0.3, 0.4]))
    XCTAssertNil(knee([0.1, 0.4, 0.6, 0.65]), "A curve that still rises should have no knee.")
    XCTAssertNil(knee([0.5, 0.5, 0.5, 0.5]), "flat")
    XCTAssertNil(knee([0, 0, 0, 0]))
    XCTAssertNil(
      knee([0.1, 0.5, 0.51], at: [10, 20, 30]),
      "Without a ratio at twice the capacity, there should be no knee.")
    XCTAssertNil(knee([0.5], at: [10]))
    XCTAssertNil(knee([0.1, 0.5], at: [10, 100]))
    XCTAssertEqual(knee([0.1, 0.5, 0.51, 0.515]), 1)
    XCTAssertEqual(knee([0.1, 0.5, 0.55, 0.56]), 2)
    XCTAssertEqual(knee([0.1, 0.5, 0.53, 0.5]), 2, "The ratio may fall after the knee.")
    XCTAssertEqual(knee([0.1, 0.5, 0.51, 0.515], at: [10, 20, 30, 40]), 1)
  }

  private func assert(
    _ policy: Policy, at capacity: Int, _ text: String, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let keys = text.split(separator: " ").map(String.init)
    let found = zip(keys, try hits(policy, at: capacity, keys.map { $0.lowercased() }))
    let marked = found.map { $1 ? $0.uppercased() : $0.lowercased() }.joined(separator: " ")
    XCTAssertEqual(marked, text, file: file, line: line)
  }

  private func hits(_ policy: Policy, at capacity: Int, _ keys: [String]) throws -> [Bool] {
    let trace = try RequestTrace(name: "", Array(keys.joined(separator: "\n").utf8), file: "")
    var cache = policy.cache(of: capacity, for: trace)
    return trace.requests.map { cache.access($0) }
  }
}

/// A repeatable random number generator.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

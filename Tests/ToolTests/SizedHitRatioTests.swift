import Foundation
import Strata
import XCTest

@testable import strata_tool

/// Tests replays of traces whose keys have sizes.
final class SizedHitRatioTests: XCTestCase {
  func testASizeFollowsEachKey() throws {
    let text = "a b 10\nc\t3\r\nd,7\na b 99\n"
    let trace = try RequestTrace(name: "t", Array(text.utf8), file: "t", isSized: true)
    XCTAssertEqual(trace.keys, ["a b", "c", "d"])
    XCTAssertEqual(trace.sizes, [10, 3, 7], "A key should have the size in the key's first line.")
    XCTAssertEqual(trace.requests, [0, 1, 2, 0])
    XCTAssertNil(try RequestTrace(name: "t", Array(text.utf8), file: "t").sizes)
    for wrong in ["a", "a 0", "a -1", "a x", " 1", "a 1.5", "a 99999999999999999999"] {
      let bytes = Array("k 1\n\(wrong)\n".utf8)
      XCTAssertThrowsError(try RequestTrace(name: "t", bytes, file: "t", isSized: true)) { error in
        XCTAssertEqual("\(error)", "t: line 2 needs a size, at least 1, after the key")
      }
    }
  }

  func testMadeSizesAreRepeatableAndCorrelatedWithPopularity() throws {
    let zipf = RequestTrace.made(.zipf)
    let counts = counts(of: zipf.keys, in: zipf.requests)
    let trace = try RequestTrace(at: "@zipf:pareto")
    XCTAssertEqual(trace.name, "@zipf:pareto")
    XCTAssertEqual(trace.requests, zipf.requests)
    XCTAssertEqual(trace.sizes, MadeSizes.pareto.sizes(of: counts))
    let popular = counts.indices.filter { counts[$0] >= 20 }
    for made in MadeSizes.allCases {
      let sizes = made.sizes(of: counts)
      let middle = sizes.sorted()[sizes.count / 2]
      let small = Double(popular.count { sizes[$0] < middle }) / Double(popular.count)
      switch made {
      case .lognormal, .pareto: XCTAssertEqual(small, 0.5, accuracy: 0.1)
      case .lognormalSmall, .paretoSmall: XCTAssertGreaterThan(small, 0.8)
      case .lognormalLarge, .paretoLarge: XCTAssertLessThan(small, 0.2)
      }
    }
    for wrong in ["@zipf:", "@zipf:small", "@zopf:pareto", "@zipf:pareto:pareto"] {
      XCTAssertThrowsError(try RequestTrace(at: wrong))
    }
  }

  func testBytesAreCountedByRequest() throws {
    let replay = try Replay(trace("a1 b4 a1 b4 a1"), [.entries(5), .percent(20)], [.lru])
    XCTAssertEqual(replay.capacities, [1, 5], "A percentage should refer to the sum of the sizes.")
    XCTAssertEqual(replay.ratios, [[0.4, 0.6]])
    XCTAssertEqual(replay.byteRatios, [[2.0 / 11, 6.0 / 11]])
    XCTAssertEqual(replay.csv(withBytes: true).last, "t,5,LRU,0.6000,0.5455")
    let tables = HitRatioView.tables(of: replay, false)
    XCTAssertEqual(tables.count, 2)
    XCTAssertTrue(tables[1].contains("hit bytes in %"))
    let unsized = Replay(RequestTrace.made(.loop), [.entries(5)], [.lru])
    XCTAssertEqual(unsized.byteRatios, unsized.ratios)
    XCTAssertEqual(HitRatioView.tables(of: unsized, false).count, 1)
  }

  func testOnlyPoliciesWithSizesReplaySizes() throws {
    let trace = try trace("a1")
    XCTAssertEqual(try HitRatioOptions(["a"]).policies(for: trace), Policy.sized)
    XCTAssertEqual(
      try HitRatioOptions(["a"]).policies(for: RequestTrace.made(.loop)), Policy.unsized)
    let some = try HitRatioOptions(["a", "--policy", "LRU,FIFO", "--sizes"])
    XCTAssertEqual(try some.policies(for: trace), [.lru])
    XCTAssertTrue(some.isSized)
    XCTAssertThrowsError(try HitRatioOptions(["a", "--policy", "OPT"]).policies(for: trace))
  }

  func testAnLRUEvictsAsManyAsNecessary() throws {
    XCTAssertEqual(try hits(.lru, at: 10, "a4 b4 c9 a4 c9 d1 c9 a4"), "......C.")
  }

  func testGDSFKeepsSmallAndFrequentKeys() throws {
    // The policy first evicts `b`, which is large. The policy then evicts `c` before `a`, because
    // `c` was requested only once.
    XCTAssertEqual(try hits(.gdsf, at: 10, "a2 b8 a2 c2 a2 b8 a2 c2"), "..A.A.A.")
  }

  func testS3FIFOAndTinyLFUCountBytes() throws {
    for policy in Policy.sized where policy != .adaptSize {
      XCTAssertEqual(try hits(policy, at: 10, "a11 a11 a11 b10 b10"), "....B", policy.rawValue)
    }
  }

  func testAdaptSizeStopsAdmittingLargeKeys() throws {
    // Every second request has one of twenty small popular keys. All other requests have large keys
    // that occur only once.
    let requests = (0..<30_000).map { $0 % 2 == 0 ? $0 / 2 % 20 : 20 + $0 }
    let sizes = (0..<30_020).map { $0 < 20 ? 1 : 20 }
    var (adaptive, lru) = (AdaptSize(capacity: 40, sizes: sizes), LRU(capacity: 40, sizes: sizes))
    let found = requests.map { (adaptive.access($0), lru.access($0)) }.suffix(10_000)
    XCTAssertGreaterThan(found.count { $0.0 }, 4_500)
    XCTAssertEqual(found.count { $0.1 }, 0)
  }

  func testTheMemoryLevelFindsMoreObjectsOnAverageThanLRUAndGDSF() throws {
    // This test compares the sums of the hit ratios over all kinds of traffic. For some kinds, GDSF
    // has more hits.
    let policies: [Policy] = [.strata, .lru, .gdsf]
    let traces = RequestTrace.Made.allCases.map { kind in
      let whole = RequestTrace.made(kind)
      let requests = Array(whole.requests.prefix(8_000))
      let keys = Array(whole.keys.prefix(Set(requests).count))
      let sizes = MadeSizes.pareto.sizes(of: counts(of: keys, in: requests))
      return RequestTrace(name: "t", keys: keys, requests: requests, sizes: sizes)
    }
    let sums = Lock(Array(repeating: [0.0, 0, 0], count: 3))
    DispatchQueue.concurrentPerform(iterations: 3 * traces.count) { index in
      let (trace, seed) = (traces[index / 3], index % 3)
      let replay = Replay(trace, [.percent(2), .percent(10)], policies, seed: seed + 1)
      for policy in policies.indices {
        let sum = replay.ratios[policy].reduce(0, +)
        sums.withLock { $0[seed][policy] += sum }
      }
    }
    for sum in sums.withLock({ $0 }) {
      XCTAssertGreaterThan(sum[0], sum[1], "LRU")
      XCTAssertGreaterThan(sum[0], sum[2], "GDSF")
    }
  }

  private func counts(of keys: [String], in requests: [Int]) -> [Int] {
    var counts = keys.map { _ in 0 }
    for key in requests { counts[key] += 1 }
    return counts
  }

  /// Parses a trace in which each request is a one-letter key followed by its size, such as `a4`.
  private func trace(_ text: String) throws -> RequestTrace {
    let lines = text.split(separator: " ").map { "\($0.prefix(1)) \($0.dropFirst())\n" }
    return try RequestTrace(name: "t", Array(lines.joined().utf8), file: "t", isSized: true)
  }

  /// Replays a trace. Returns a capital letter for each hit and a dot for each miss.
  private func hits(_ policy: Policy, at capacity: Int, _ text: String) throws -> String {
    let trace = try trace(text)
    var cache = policy.cache(of: capacity, for: trace)
    return trace.requests.map { cache.access($0) ? trace.keys[$0].uppercased() : "." }.joined()
  }
}

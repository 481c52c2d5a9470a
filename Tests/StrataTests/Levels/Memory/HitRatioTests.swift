import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that the hit ratios are at most one percentage point below the ratios of the reference
/// policy.
final class HitRatioTests: XCTestCase {
  // Each expected ratio is the minimum of three runs of the reference policy, minus one percentage
  // point.

  func testPopularKeysStay() {
    check(Traces.zipf(), [(100, 0.4736), (500, 0.6402), (2000, 0.7770)])
  }

  func testALoopThatDoesNotFitStillHits() {
    check(Traces.loop(), [(100, 0.0859), (400, 0.3761), (800, 0.7503), (980, 0.85)])
  }

  func testScansDoNotEvictPopularKeys() {
    check(Traces.zipfWithScans(), [(100, 0.3747), (500, 0.5047), (2000, 0.6110)])
  }

  func testAZigzagKeepsAPartOfItsKeys() {
    check(Traces.zigzag(), [(200, 0.17), (400, 0.34), (600, 0.52), (800, 0.74)])
  }

  func testAMovingWorkingSetStaysAlmostAsInAnLRU() {
    check(Traces.shift(), [(200, 0.469), (400, 0.637), (800, 0.836)])
  }

  /// For such traffic, LRU is nearly the best policy. In short steps, the window would grow too
  /// slowly, and the mean hit ratios would be three to four percentage points lower than those of LRU.
  func testTrafficThatFavorsRecentKeysHasAlmostTheHitRatioOfLRU() {
    for (name, trace) in [
      ("walk", Traces.walk()), ("stack", Traces.stack()), ("shift", Traces.shift()),
    ] {
      let gaps = [200, 500, 1000].map {
        Traces.hitRatioOfLRU(trace, capacity: $0) - Traces.hitRatio(trace, capacity: $0)
      }
      XCTAssertLessThan(gaps.reduce(0, +) / 3, 0.025, "\(name): \(gaps)")
    }
  }

  func testTheSecretOfTheHashMattersLittle() {
    let trace = Traces.zipf(Extent.rounds(20_000, full: 100_000))
    let ratios = (1...5).map { Traces.hitRatio(trace, capacity: 500, seed: $0) }
    XCTAssertLessThan((ratios.max() ?? 1) - (ratios.min() ?? 0), 0.01)
  }

  /// Compares each hit ratio with the minimum hit ratio in the table. The full test also checks the
  /// mean ratio.
  func testRealTracesReachTheirFloors() throws {
    let folder = try Traces.folder()
    let table = try String(contentsOf: folder.appendingPathComponent("floors.csv"), encoding: .utf8)
    var traces: [String: [Int]] = [:]
    var ratios: [Double] = []
    for line in table.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: ",").map(String.init)
      guard let capacity = Int(fields[1]), let floor = Double(fields[3]) else { continue }
      let name = fields[0]
      let trace =
        try traces[name]
        ?? Traces.read(
          folder.appendingPathComponent("traces/\(name).txt.gz"))
      traces = [name: trace]
      guard Extent.isFull || trace.count < 100_000 else { continue }
      let ratio = Traces.hitRatio(trace, capacity: capacity, seed: 1)
      ratios.append(ratio)
      XCTAssertGreaterThanOrEqual(ratio, floor, "\(name) at \(capacity)")
    }
    XCTAssertFalse(ratios.isEmpty)
    guard Extent.isFull else { return }
    XCTAssertGreaterThanOrEqual(ratios.reduce(0, +) / Double(ratios.count), 0.52)
  }

  private func check(_ trace: [Int], _ floors: [(capacity: Int, floor: Double)]) {
    let ratios = Lock<[Int: Double]>([:])
    DispatchQueue.concurrentPerform(iterations: floors.count) { index in
      let ratio = Traces.hitRatio(trace, capacity: floors[index].capacity)
      ratios.withLock { $0[floors[index].capacity] = ratio }
    }
    for (capacity, floor) in floors {
      XCTAssertGreaterThanOrEqual(
        ratios.withLock { $0[capacity] ?? 0 }, floor, "at \(capacity)")
    }
  }
}

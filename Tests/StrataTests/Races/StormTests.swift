import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests levels that hang at random. In each test, 200 tasks use the levels for one minute of
/// virtual time.
final class StormTests: XCTestCase {

  private let sums: [(name: String, make: Storm.Make)] = [
    ("sum", { $0 + $1[0] + $2 }),
    ("pool", { $0 + ($1[0] + $2).pooled() }),
    ("bound", { $0 + $1[0].awaitedInSum(atMost: .seconds(5)) + $2.pooled() }),
  ]

  /// Sums in which two levels can hang. In each row, `seconds` is the maximum duration of a get. If
  /// `mayFail` is `true`, gets are allowed to fail.
  private let deep: [(name: String, seconds: Int, mayFail: Bool, make: Storm.Make)] = [
    ("three", 10, false, { $0 + $1[0] + $1[1] + $2 }),
    ("bare", 10, false, { _, stores, origin in stores[0] + stores[1] + origin }),
    ("nested", 10, false, { $0 + ($1[0] + $1[1]).pooled() + $2 }),
    ("below", 10, false, { $0 + ($1[0] + $1[1] + $2).pooled() }),
    (
      "limits", 10, false,
      {
        $0 + $1[0].timingOut(after: .seconds(2)) + $1[1].timingOut(after: .seconds(3)).retrying(1)
          + $2
      }
    ),
    ("around", 1, true, { ($0 + $1[0] + $1[1] + $2).timingOut(after: .seconds(1)) }),
    (
      "over", 1, true,
      {
        ($0 + $1[0].timingOut(after: .milliseconds(300)) + $2).pooled()
          .timingOut(after: .seconds(1))
      }
    ),
    (
      "within", 3, false,
      {
        $0 + ($1[0] + $1[1]).timingOut(after: .seconds(2)).awaitedInSum(atMost: .seconds(3)) + $2
      }
    ),
    (
      "awaitedInSum", 6, true,
      {
        $0 + ($1[0] + $1[1] + $2).pooled().awaitedInSum(atMost: .seconds(6))
      }
    ),
    (
      "circuits", 10, false,
      {
        $0 + $1[0].breakingCircuit(after: .failures(3), retryAfter: .seconds(4))
          + $1[1] + $2.breakingCircuit(after: .failures(2), retryAfter: .seconds(9))
      }
    ),
    (
      "mapped", 10, false,
      {
        $0 + ({ 39 - $0 } <^> ($1[0] + ({ $0 + 1 } <^> $1[1])) <*> next) + $2
      }
    ),
    (
      "dispatched", 10, false,
      {
        $0 + ($1[0] + $1[1]).retrying(1).limited(toConcurrentGets: 100) + $2.pooled()
      }
    ),
  ]

  func testLevelsThatFailLateBelowVerbsAnswerNoOlderValue() {
    let storms = deep.flatMap { level in
      (0..<Extent.rounds(1, full: 20)).flatMap { [(level, $0, false), (level, $0, true)] }
    }
    expectNoFaults(in: storms) { level, stream, clearHangs in
      let plan = Storm.plan(stream: stream, calls: Extent.rounds(1_500, full: 3_000))
      let result = Storm(
        level.make, stream: stream, hangs: true, clearHangs: clearHangs, fails: true
      ).run(plan)
      let wrong = result.wrong.filter { !level.mayFail || $0.contains(" after ") }
      return (wrong.prefix(3) + Self.late(result, level.seconds).prefix(3))
        .map { "\(level.name), stream \(stream), \(clearHangs): \($0)" }
    }
  }

  /// Runs storms on all processors, and fails for each fault that `faults` returns.
  private func expectNoFaults<Row: Sendable>(
    in storms: [Row], line: UInt = #line, _ faults: @Sendable (Row) -> [String]
  ) {
    let all = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: storms.count) { index in
      let found = faults(storms[index])
      all.withLock { $0 += found }
    }
    XCTAssertEqual(all.withLock { $0 }, [], line: line)
  }

  private func storm(
    clearHangs: Bool, line: UInt = #line,
    _ faults: @Sendable (_ calm: Storm.Result, _ hanging: Storm.Result) -> [String]
  ) {
    let storms = sums.flatMap { sum in (0..<Extent.rounds(1, full: 50)).map { (sum, $0) } }
    expectNoFaults(in: storms, line: line) { sum, stream in
      let plan = Storm.plan(stream: stream)
      let calm = Storm(sum.make, stream: stream, hangs: false, clearHangs: false).run(plan)
      let hanging = Storm(sum.make, stream: stream, hangs: true, clearHangs: clearHangs).run(plan)
      return faults(calm, hanging).map { "\(sum.name), stream \(stream): \($0)" }
    }
  }

  /// Returns descriptions of late gets. A get is late if it exceeds the time limit by more than the
  /// 62 ms that working levels need.
  private static func late(_ result: Storm.Result, _ seconds: Int = 5) -> [String] {
    result.gets.compactMap { index, get in
      if get.isCancelled || get.time ?? .seconds(60) <= .milliseconds(seconds * 1_000 + 62) {
        return nil
      }
      return "get \(index) of \(get.key): \(get.time?.description ?? "pending")"
    }
  }

  func testAHangDelaysNoOtherKeyAndEachGetByItsBound() {
    storm(clearHangs: false) { calm, hanging in
      let delayed = hanging.gets.filter { index, get in
        !Storm.hanging.contains(get.key) && get.time ?? .zero > calm.gets[index]?.time ?? .zero
      }
      let hung = hanging.gets.values.contains { $0.time ?? .zero > .seconds(4) }
      return calm.wrong + hanging.wrong.prefix(3) + Self.late(hanging).prefix(3)
        + delayed.prefix(3).map { "delayed: \($0)" } + (hung ? [] : ["No hang."])
    }
  }

  func testAClearThatHangsDelaysNoGetBeyondItsBound() {
    storm(clearHangs: true) { _, hanging in
      Array(hanging.wrong.prefix(3) + Self.late(hanging).prefix(3))
    }
  }
}

/// A codec that preserves the order of numbers.
private let next = Codec<Int, Int>(decode: { $0 - 1 }, encode: { $0 + 1 })

import XCTest

@testable import Strata

/// Tests levels that hang at random. In each test, 200 tasks use the levels for one minute of
/// virtual time.
final class StormTests: XCTestCase {

  private let sums: [(name: String, make: Storm.Make)] = [
    ("sum", { $0 + $1[0] + $2 }),
    ("pool", { $0 + ($1[0] + $2).pooled() }),
    ("bound", { $0 + $1[0].awaited(atMost: .seconds(5)) + $2.pooled() }),
  ]

  /// Sums with two levels that hang, each with the maximum duration of a get in seconds, and with
  /// whether gets may fail.
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
        $0 + ($1[0] + $1[1]).timingOut(after: .seconds(2)).awaited(atMost: .seconds(3)) + $2
      }
    ),
    (
      "awaited", 6, true,
      {
        $0 + ($1[0] + $1[1] + $2).pooled().awaited(atMost: .seconds(6))
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
    for (name, seconds, mayFail, make) in deep {
      for stream in 0..<Size.of(1, long: 20) {
        let plan = Storm.plan(stream: stream, calls: Size.of(1_500, long: 3_000))
        for clearHangs in [false, true] {
          let result = Storm(
            make, stream: stream, hangs: true, clearHangs: clearHangs, fails: true
          ).run(plan)
          let wrong = result.wrong.filter { !mayFail || $0.contains(" after ") }
          XCTAssertEqual(Array(wrong.prefix(3)), [], "\(name), stream \(stream), \(clearHangs)")
          XCTAssertEqual(
            Array(late(result, seconds).prefix(3)), [], "\(name), stream \(stream), \(clearHangs)")
        }
      }
    }
  }

  private func storm(
    clearHangs: Bool,
    _ check: (_ name: String, _ calm: Storm.Result, _ hanging: Storm.Result) -> Void
  ) {
    for (name, make) in sums {
      for stream in 0..<Size.of(1, long: 50) {
        let plan = Storm.plan(stream: stream)
        check(
          "\(name), stream \(stream)",
          Storm(make, stream: stream, hangs: false, clearHangs: false).run(plan),
          Storm(make, stream: stream, hangs: true, clearHangs: clearHangs).run(plan))
      }
    }
  }

  /// Returns the gets that took longer than the time limit plus the time of the working levels.
  private func late(_ result: Storm.Result, _ seconds: Int = 5) -> [String] {
    result.gets.compactMap { index, get in
      if get.isCancelled || get.time ?? .seconds(60) <= .milliseconds(seconds * 1_000 + 62) {
        return nil
      }
      return "get \(index) of \(get.key): \(get.time?.description ?? "pending")"
    }
  }

  func testAHangDelaysNoOtherKeyAndEachGetByItsBound() {
    storm(clearHangs: false) { name, calm, hanging in
      XCTAssertEqual(calm.wrong, [], name)
      XCTAssertEqual(Array(hanging.wrong.prefix(3)), [], name)
      XCTAssertEqual(Array(late(hanging).prefix(3)), [], name)
      let delayed = hanging.gets.filter { index, get in
        !Storm.hanging.contains(get.key) && get.time ?? .zero > calm.gets[index]?.time ?? .zero
      }
      XCTAssertEqual(delayed.prefix(3).map { "\($0): \($1)" }, [], name)
      XCTAssertTrue(hanging.gets.values.contains { $0.time ?? .zero > .seconds(4) }, "No hang.")
    }
  }

  func testAClearThatHangsDelaysNoGetBeyondItsBound() {
    storm(clearHangs: true) { name, _, hanging in
      XCTAssertEqual(Array(hanging.wrong.prefix(3)), [], name)
      XCTAssertEqual(Array(late(hanging).prefix(3)), [], name)
    }
  }
}

/// A codec that preserves the order of numbers.
private let next = Codec<Int, Int>(decode: { $0 - 1 }, encode: { $0 + 1 })

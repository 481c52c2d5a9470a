import XCTest

@testable import Strata

/// Two hundred tasks for a minute over a level that hangs at random, on virtual time.
final class StormTests: XCTestCase {

  private let sums: [(name: String, make: Storm.Make)] = [
    ("sum", { $0 + $1 + $2 }),
    ("pool", { $0 + ($1 + $2).pooled() }),
    ("bound", { $0 + $1.awaited(atMost: .seconds(5)) + $2.pooled() }),
  ]

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

  /// Returns the gets that took longer than the bound plus the time of the working levels.
  private func late(_ result: Storm.Result) -> [String] {
    result.gets.compactMap { index, get in
      if get.isCancelled || get.time ?? .seconds(60) <= .milliseconds(5_000 + 62) { return nil }
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

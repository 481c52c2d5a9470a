import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class TraceTests: XCTestCase {
  /// Returns the trace of a get through a pool to the network, in virtual time.
  private func trace() throws -> Trace {
    let (time, clock) = TimeSource.manual()
    let recorder = Recorder(clock: time)
    let disk = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let network = ScriptedLevel(1, LevelScript(contents: [7: 70], hasSlowGets: true))
    let cache =
      (Cache<Int, Int>.memory().named("memory")
      + (disk.cache.named("disk") + network.cache.fetcher.named("network")).pooled())
      .named("pages").observed(by: recorder)
    let promise = recorder.trace { cache.get(7) }
    clock.advance(by: .milliseconds(10))
    disk.settle(0)
    clock.advance(by: .milliseconds(30))
    network.settle(0)
    return try XCTUnwrap(promise.outcome?.value?.trace)
  }

  func testStepsAreInTheOrderOfTheirStartsWithTheirDepths() throws {
    let steps = try trace().steps
    XCTAssertEqual(
      steps.map { "\($0.depth) \($0.stage) \($0.operation)" },
      [
        "0 pages get", "1 memory get", "1 disk get", "1 network get", "1 pages backFill",
        "1 disk set", "1 pages backFill", "1 memory set",
      ])
    let moments = [0, 0, 0, 10, 40, 40, 40, 40].map { Duration.milliseconds($0) }
    XCTAssertEqual(steps.map(\.start), moments)
  }

  func testOnlyAGetAroundNoOtherIsInnermostAndOnlyASourceAnOrigin() throws {
    let steps = try trace().steps
    XCTAssertEqual(steps.filter { !$0.isInnermost }.map(\.stage), ["pages"])
    XCTAssertEqual(steps.filter(\.isOrigin).map(\.stage), ["network"])
  }

  func testAMissIsNotAFailure() {
    let outcomes: [Promise<Int>.Outcome] = [
      .success(1), .failure(CacheError.notFound), .failure(CacheError.timedOut()), .cancelled,
    ]
    let words = outcomes.map { outcome in
      switch CacheEvent.Outcome(outcome) {
      case .success: "success"
      case .miss: "miss"
      case .failure: "failure"
      case .cancelled: "cancelled"
      }
    }
    XCTAssertEqual(words, ["success", "miss", "failure", "cancelled"])
  }
}

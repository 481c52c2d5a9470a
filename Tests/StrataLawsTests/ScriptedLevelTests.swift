import Strata
import XCTest

@testable import StrataLaws

final class ScriptedLevelTests: XCTestCase {
  func testASlowLevelAnswersWhenTheTestSettlesIt() {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 5], hasSlowGets: true))
    let get = level.cache.get(1)
    XCTAssertNil(get.outcome)
    XCTAssertTrue(level.settle(0))
    XCTAssertEqual(get.outcome?.value, 5)
    XCTAssertFalse(level.settle(0))
  }

  func testALevelWithALatencyAnswersAtItsTime() {
    let (time, clock) = TimeSource.manual()
    let script = LevelScript(contents: [1: 5], hasSlowGets: true, latency: 3)
    let get = ScriptedLevel(0, script, Ticker(), time).cache.get(1)
    clock.advance(by: .milliseconds(2))
    XCTAssertNil(get.outcome)
    clock.advance(by: .milliseconds(1))
    XCTAssertEqual(get.outcome?.value, 5)
  }

  func testASilentLevelNeverAnswersAndCanBeCancelled() {
    let level = ScriptedLevel(0, LevelScript(getFaults: [1: .silence]))
    let get = level.cache.get(1)
    XCTAssertFalse(level.settle(0))
    XCTAssertNil(get.outcome)
    get.cancel()
    XCTAssertEqual(level.events, ["get 1", "cancel get 1"])
  }

  func testAFailingWriteStoresNothing() {
    let level = ScriptedLevel(0, LevelScript(writeFaults: [1: .failure]))
    let error = ScriptError(level: 0, key: 1, isMiss: false)
    XCTAssertEqual(level.cache.set(1, 5).outcome?.error as? ScriptError, error)
    XCTAssertEqual(level.rest.contents, [:])
  }

  func testTheSameProgramHasTheSameObservation() {
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(seed))
      let program = Program.random(LawDomain(), using: &random)
      let build: LawBuild = { ($0[0] + $0[1].named("b")).pooled() + $0[2] }
      XCTAssertEqual(Run(program, build).virtually(), Run(program, build).virtually())
    }
  }
}

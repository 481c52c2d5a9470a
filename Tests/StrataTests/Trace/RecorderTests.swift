import StrataLaws
import XCTest

@testable import Strata

final class RecorderTests: XCTestCase {
  private let time = TimeSource.manual()
  private lazy var recorder = Recorder(on: time.time)

  /// Memory over a slow disk over a slow network, the two in a pool.
  private struct Stages {
    let disk: ScriptedLevel
    let network: ScriptedLevel
    let cache: Cache<Int, Int>
  }

  private func stages(_ disk: LevelScript, _ network: LevelScript) -> Stages {
    let (lower, origin) = (ScriptedLevel(1, disk), ScriptedLevel(2, network))
    let pooled =
      (lower.cache.named("disk") + origin.cache.fetcher.named("network")).pooled()
    let cache = (Cache<Int, Int>.memory().named("memory") + pooled).named("all")
    return Stages(disk: lower, network: origin, cache: cache.observed(by: recorder))
  }

  /// A step a line: the stage by its depth, what it said, when, and for how long.
  private func lines(_ trace: Trace) -> [String] {
    trace.steps.map { step in
      "\(step.name): \(step.operation) \(step.word), \(step.start.formattedShort) + "
        + step.duration.formattedShort
    }
  }

  func testEachStageIsThereWithItsBeginningItsWordAndItsDuration() throws {
    let stages = stages(
      LevelScript(hasSlowGets: true), LevelScript(contents: [7: 70], hasSlowGets: true))
    let promise = recorder.trace { stages.cache.get(7) }
    time.clock.advance(by: .milliseconds(2))
    stages.disk.settle(0)
    time.clock.advance(by: .milliseconds(30))
    stages.network.settle(0)

    let traced = try XCTUnwrap(promise.outcome?.value)
    XCTAssertEqual(try traced.value, 70)
    XCTAssertEqual(
      lines(traced.trace),
      [
        "all: get had it, 0.0 ns + 32.0 ms",
        "  memory: get had nothing, 0.0 ns + 0.0 ns",
        "  disk: get had nothing, 0.0 ns + 2.0 ms",
        "  network: get had it, 2.0 ms + 30.0 ms",
        "  all: backFill filled, 32.0 ms + 0.0 ns",
        "  disk: set filled, 32.0 ms + 0.0 ns",
        "  all: backFill filled, 32.0 ms + 0.0 ns",
        "  memory: set filled, 32.0 ms + 0.0 ns",
      ])
    XCTAssertEqual(traced.trace.duration, .milliseconds(32))
    XCTAssertFalse(traced.trace.hadCompany)
    XCTAssertEqual(traced.trace.answeredBy, "network")
    XCTAssertEqual(
      traced.trace.why,
      "network had it, since memory had nothing and disk had nothing; it was written into disk and "
        + "memory")
  }

  func testAHitInTheFirstStageSaysSo() throws {
    let stages = stages(LevelScript(), LevelScript(contents: [7: 70]))
    _ = stages.cache.get(7)
    let trace = try XCTUnwrap(recorder.trace { stages.cache.get(7) }.outcome?.value?.trace)
    XCTAssertEqual(trace.why, "memory had it")
    XCTAssertEqual(trace.steps.map(\.stage), ["all", "memory"])
    XCTAssertFalse(trace.hadCompany)
  }

  func testAFailureIsTracedWithWhatEachStageSaid() throws {
    let stages = stages(LevelScript(troubledGets: [1: .failure]), LevelScript())
    let traced = try XCTUnwrap(recorder.trace { stages.cache.get(1) }.outcome?.value)
    XCTAssertThrowsError(try traced.value)
    guard case .failure = traced.trace.outcome else { return XCTFail("\(traced.trace)") }
    let error = ScriptError(level: 1, key: 1, isMiss: false)
    XCTAssertEqual(
      traced.trace.why, "memory had nothing and disk failed (\(error)) and network had nothing")
    XCTAssertNil(traced.trace.answeredBy)
  }

  func testAMissSaysThatNobodyHadIt() throws {
    let stages = stages(LevelScript(), LevelScript())
    let trace = try XCTUnwrap(recorder.trace { stages.cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.why, "memory had nothing and disk had nothing and network had nothing")
    guard case .miss = trace.outcome else { return XCTFail("\(trace)") }
  }

  func testWhoeverJoinsALoadOfThePoolSeesItsWait() throws {
    let stages = stages(
      LevelScript(hasSlowGets: true), LevelScript(contents: [7: 70]))
    let first = stages.cache.get(7)
    time.clock.advance(by: .milliseconds(5))
    let promise = recorder.trace { stages.cache.get(7) }
    time.clock.advance(by: .milliseconds(3))
    stages.disk.settle(0)
    XCTAssertEqual(first.answer, "70")

    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    let wait = try XCTUnwrap(trace.steps.first { $0.operation == .join })
    XCTAssertEqual([wait.start, wait.duration], [.zero, .milliseconds(3)])
    XCTAssertTrue(trace.hadCompany)
    XCTAssert(
      trace.why.hasPrefix(
        "it joined a load that was under way and waited 3.0 ms, since memory had nothing"),
      trace.why)
  }

  func testWhoeverWaitsInAQueueSeesItsWait() throws {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 10, 2: 20], hasSlowGets: true))
    let cache = level.cache.named("level").limited(toConcurrentGets: 1).observed(by: recorder)
    let first = cache.get(1)
    let promise = recorder.trace { cache.get(2) }
    time.clock.advance(by: .milliseconds(4))
    level.settle(0)
    time.clock.advance(by: .milliseconds(2))
    level.settle(0)
    XCTAssertEqual(first.answer, "10")
    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    let wait = try XCTUnwrap(trace.steps.first { $0.operation == .wait })
    XCTAssertEqual([wait.start, wait.duration], [.zero, .milliseconds(4)])
    XCTAssertEqual(trace.why, "level had it; it waited 4.0 ms for its turn")
    let alone = recorder.trace { cache.get(1) }
    level.settle(0)
    XCTAssertEqual(alone.outcome?.value?.trace.steps.map(\.operation), [.get, .get])
  }

  func testOtherGetsMeanwhileAreSaidToBeThere() throws {
    let stages = stages(
      LevelScript(hasSlowGets: true), LevelScript(contents: [7: 70, 8: 80]))
    let promise = recorder.trace { stages.cache.get(7) }
    let other = stages.cache.get(8)
    stages.disk.settle(0)
    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    XCTAssertTrue(trace.hadCompany)
    XCTAssert("\(trace)".hasSuffix(Trace.company), "\(trace)")

    stages.disk.settle(0)
    XCTAssertEqual(other.answer, "80")
    let alone = recorder.trace { stages.cache.get(7) }
    XCTAssertEqual(alone.outcome?.value?.trace.hadCompany, false)
  }

  func testWhatIsNotWrittenByTheTimeOfTheAnswerIsSaid() throws {
    let slow = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let cache = (slow.cache.named("slow") + Fetcher { $0 }.named("origin")).observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.why,
      "origin had it, since slow had nothing; it was not in slow by the time of the answer")
  }

  func testABackFillThatFailsIsSaid() throws {
    let broken = ScriptedLevel(0, LevelScript(troubledWrites: [1: .failure]))
    let cache = (broken.cache.named("disk") + Fetcher { $0 }.named("origin"))
      .observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    let error = ScriptError(level: 0, key: 1, isMiss: false)
    XCTAssertEqual(
      trace.why, "origin had it, since disk had nothing; disk failed (\(error))")
  }

  func testACancelledTraceCancelsTheGetAndLeavesNoTape() {
    let stages = stages(LevelScript(hasSlowGets: true), LevelScript())
    let promise = recorder.trace { stages.cache.get(1) }
    promise.cancel()
    XCTAssertEqual(stages.disk.events, ["get 1", "cancel get 1"])
    XCTAssertEqual(promise.outcome?.isCancelled, true)
    let next = recorder.trace { stages.cache.get(2) }
    while stages.disk.settle(0) {}
    XCTAssertEqual(next.outcome?.value?.trace.hadCompany, false)
  }

  func testManyThreadsMayTraceAtOnce() {
    let recorder = Recorder()
    let cache = (Cache<Int, Int>.memory().named("memory") + Fetcher { $0 }.named("origin"))
      .named("all").observed(by: recorder)
    let wrong = Journal<String>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 {
        let key = thread * 100 + number
        guard let traced = recorder.trace({ cache.get(key) }).outcome?.value else {
          wrong.note("no answer for \(key)")
          continue
        }
        let own = traced.trace.steps.filter { $0.operation == .get }.count
        if traced.outcome.value != key || own < 3 || own > 3 && !traced.trace.hadCompany {
          wrong.note("\(key): \(traced.trace)")
        }
      }
    }
    XCTAssertEqual(wrong.entries, [])
  }

  func testTracingChangesNoAnswer() throws {
    let stages = stages(LevelScript(contents: [1: 10]), LevelScript(troubledGets: [2: .failure]))
    for key in 0..<3 {
      let plain = stages.cache.get(key)
      let traced = try XCTUnwrap(recorder.trace { stages.cache.get(key) }.outcome?.value)
      XCTAssertEqual(Promise(outcome: traced.outcome).answer, plain.answer)
    }
  }

  func testAFetcherIsRecordedToo() throws {
    let fetcher = Fetcher<Int, Int> { $0 }.named("origin").observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { fetcher.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(trace.why, "origin had it")
  }

  func testAnUnnamedPartIsSaidToHaveNoName() throws {
    let cache = (Cache<Int, Int>.memory().named("memory") + Fetcher { $0 }).observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.why,
      "a part without a name had it, since memory had nothing; it was written into memory")
  }

  func testAnObserverFurtherOutChangesNothingOfATrace() throws {
    let inner = Cache<Int, Int>.memory().named("memory").observed(by: recorder)
    let cache = (inner + Fetcher { $0 }).observed { _ in }
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(trace.steps.map(\.stage), ["memory", "memory"])
    XCTAssertEqual(trace.steps.map(\.operation), [.get, .set])
    XCTAssertFalse(trace.hadCompany)
  }
}

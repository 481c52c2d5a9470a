import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

final class RecorderTests: XCTestCase {
  private let manual = TimeSource.manual()
  private lazy var recorder = Recorder(clock: manual.clock)

  /// A memory level above a pool that contains a slow disk level and a slow network level.
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

  /// Returns one line per step, with the step's indented name, operation, outcome, start, and
  /// duration.
  private func lines(_ trace: Trace) -> [String] {
    trace.steps.map { step in
      "\(step.name): \(step.operation) \(step.word), \(step.start.formattedShort) + "
        + step.duration.formattedShort
    }
  }

  func testEachStageHasItsStartItsOutcomeAndItsDuration() throws {
    let stages = stages(
      LevelScript(hasSlowGets: true), LevelScript(contents: [7: 70], hasSlowGets: true))
    let promise = recorder.trace { stages.cache.get(7) }
    manual.time.advance(by: .milliseconds(2))
    stages.disk.settle(0)
    manual.time.advance(by: .milliseconds(30))
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
    XCTAssertFalse(traced.trace.mayIncludeOtherGets)
    XCTAssertEqual(traced.trace.answeredBy, "network")
    XCTAssertEqual(
      traced.trace.why,
      "network had it, since memory had nothing and disk had nothing; it was written into disk and "
        + "memory")
  }

  func testAHitInTheFirstStageIsExplained() throws {
    let stages = stages(LevelScript(), LevelScript(contents: [7: 70]))
    _ = stages.cache.get(7)
    let trace = try XCTUnwrap(recorder.trace { stages.cache.get(7) }.outcome?.value?.trace)
    XCTAssertEqual(trace.why, "memory had it")
    XCTAssertEqual(trace.steps.map(\.stage), ["all", "memory"])
    XCTAssertFalse(trace.mayIncludeOtherGets)
  }

  func testATraceOfAFailureHasTheOutcomeOfEachStage() throws {
    let stages = stages(LevelScript(getFaults: [1: .failure]), LevelScript())
    let traced = try XCTUnwrap(recorder.trace { stages.cache.get(1) }.outcome?.value)
    XCTAssertThrowsError(try traced.value)
    guard case .failure = traced.trace.outcome else { return XCTFail(traced.trace.table) }
    let error = ScriptError(level: 1, key: 1, isMiss: false)
    XCTAssertEqual(
      traced.trace.why, "memory had nothing and disk failed (\(error)) and network had nothing")
    XCTAssertNil(traced.trace.answeredBy)
  }

  func testAMissIsExplained() throws {
    let stages = stages(LevelScript(), LevelScript())
    let trace = try XCTUnwrap(recorder.trace { stages.cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.why, "memory had nothing and disk had nothing and network had nothing")
    guard case .miss = trace.outcome else { return XCTFail(trace.table) }
  }

  func testJoiningALoadOfAPoolIsTracedAsAWait() throws {
    let stages = stages(
      LevelScript(hasSlowGets: true), LevelScript(contents: [7: 70]))
    let first = stages.cache.get(7)
    manual.time.advance(by: .milliseconds(5))
    let promise = recorder.trace { stages.cache.get(7) }
    manual.time.advance(by: .milliseconds(3))
    stages.disk.settle(0)
    XCTAssertEqual(first.outcome?.value, 70)

    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    let wait = try XCTUnwrap(trace.steps.first { $0.operation == .join })
    XCTAssertEqual([wait.start, wait.duration], [.zero, .milliseconds(3)])
    XCTAssertTrue(trace.mayIncludeOtherGets)
    XCTAssert(
      trace.why.hasPrefix(
        "it joined a load in flight and waited 3.0 ms, since memory had nothing"),
      trace.why)
  }

  func testWaitingForAPermitIsTraced() throws {
    let level = ScriptedLevel(0, LevelScript(contents: [1: 10, 2: 20], hasSlowGets: true))
    let cache = level.cache.named("level").limited(toConcurrentGets: 1).observed(by: recorder)
    let first = cache.get(1)
    let promise = recorder.trace { cache.get(2) }
    manual.time.advance(by: .milliseconds(4))
    level.settle(0)
    manual.time.advance(by: .milliseconds(2))
    level.settle(0)
    XCTAssertEqual(first.outcome?.value, 10)
    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    let wait = try XCTUnwrap(trace.steps.first { $0.operation == .wait })
    XCTAssertEqual([wait.start, wait.duration], [.zero, .milliseconds(4)])
    XCTAssertEqual(trace.why, "level had it; it waited 4.0 ms in a queue")
    let alone = recorder.trace { cache.get(1) }
    level.settle(0)
    XCTAssertEqual(alone.outcome?.value?.trace.steps.map(\.operation), [.get, .get])
  }

  func testConcurrentGetsAreReported() throws {
    let stages = stages(
      LevelScript(hasSlowGets: true), LevelScript(contents: [7: 70, 8: 80]))
    let promise = recorder.trace { stages.cache.get(7) }
    let other = stages.cache.get(7)
    stages.disk.settle(0)
    let trace = try XCTUnwrap(promise.outcome?.value?.trace)
    XCTAssertTrue(trace.mayIncludeOtherGets)
    XCTAssert(trace.table.hasSuffix(Trace.otherGets), trace.table)

    stages.disk.settle(0)
    XCTAssertEqual(other.outcome?.value, 70)
    let alone = recorder.trace { stages.cache.get(7) }
    XCTAssertEqual(alone.outcome?.value?.trace.mayIncludeOtherGets, false)
  }

  func testABackFillThatIsStillRunningIsReported() throws {
    let slow = ScriptedLevel(0, LevelScript(hasSlowWrites: true))
    let cache = (slow.cache.named("slow") + Fetcher(offMainThread: false) { $0 }.named("origin"))
      .observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.why,
      "origin had it, since slow had nothing; it was not in slow by the end of the get")
  }

  func testAFailedBackFillIsReported() throws {
    let broken = ScriptedLevel(0, LevelScript(writeFaults: [1: .failure]))
    let cache = (broken.cache.named("disk") + Fetcher(offMainThread: false) { $0 }.named("origin"))
      .observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    let error = ScriptError(level: 0, key: 1, isMiss: false)
    XCTAssertEqual(
      trace.why, "origin had it, since disk had nothing; disk failed (\(error))")
  }

  func testCancellingATraceCancelsTheGetAndRemovesTheRecording() {
    let stages = stages(LevelScript(hasSlowGets: true), LevelScript())
    let promise = recorder.trace { stages.cache.get(1) }
    promise.cancel()
    XCTAssertEqual(stages.disk.events, ["get 1", "cancel get 1"])
    XCTAssertEqual(promise.outcome?.isCancelled, true)
    let next = recorder.trace { stages.cache.get(2) }
    while stages.disk.settle(0) {}
    XCTAssertEqual(next.outcome?.value?.trace.mayIncludeOtherGets, false)
  }

  func testManyThreadsMayTraceConcurrently() {
    let recorder = Recorder()
    let cache =
      (Cache<Int, Int>.memory().named("memory")
      + Fetcher(offMainThread: false) { $0 }.named("origin"))
      .named("all").observed(by: recorder)
    let wrong = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 {
        let key = thread * 100 + number
        guard let traced = recorder.trace({ cache.get(key) }).outcome?.value else {
          wrong.withLock { $0.append("no answer for \(key)") }
          continue
        }
        let own = traced.trace.steps.filter { $0.operation == .get }.count
        if traced.outcome.value != key || own < 3 || own > 3 && !traced.trace.mayIncludeOtherGets {
          wrong.withLock { $0.append("\(key): \(traced.trace.table)") }
        }
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, [])
  }

  func testTracingChangesNoAnswer() throws {
    let stages = stages(LevelScript(contents: [1: 10]), LevelScript(getFaults: [2: .failure]))
    for key in 0..<3 {
      let plain = stages.cache.get(key)
      let traced = try XCTUnwrap(recorder.trace { stages.cache.get(key) }.outcome?.value)
      XCTAssertEqual("\(traced.outcome)", plain.outcome.map { "\($0)" })
    }
  }

  func testAFetcherIsRecordedToo() throws {
    let fetcher = Fetcher<Int, Int>(offMainThread: false) { $0 }.named("origin").observed(
      by: recorder)
    let trace = try XCTUnwrap(recorder.trace { fetcher.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(trace.why, "origin had it")
  }

  func testAnUnnamedStageIsReportedAsUnnamed() throws {
    let cache = (Cache<Int, Int>.memory().named("memory") + Fetcher(offMainThread: false) { $0 })
      .observed(by: recorder)
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(
      trace.why,
      "a stage without a name had it, since memory had nothing; it was written into memory")
  }

  func testAnOuterObserverDoesNotChangeATrace() throws {
    let inner = Cache<Int, Int>.memory().named("memory").observed(by: recorder)
    let cache = (inner + Fetcher(offMainThread: false) { $0 }).observed { _ in }
    let trace = try XCTUnwrap(recorder.trace { cache.get(1) }.outcome?.value?.trace)
    XCTAssertEqual(trace.steps.map(\.stage), ["memory", "memory"])
    XCTAssertEqual(trace.steps.map(\.operation), [.get, .set])
    XCTAssertFalse(trace.mayIncludeOtherGets)
  }

  func testARecorderHasABoundAndReportsWhatItOmits() throws {
    func trace(_ recorder: Recorder) throws -> Trace {
      let level = Cache<Int, Int>.dictionary([9: 9]).named("level")
      let seen = (0..<5).reduce(level) { sum, _ in .dictionary().named("above") + sum }
      let cache = seen.observed(by: recorder)
      return try XCTUnwrap(recorder.trace { cache.get(9) }.outcome?.value).trace
    }
    let (whole, part) = (try trace(Recorder()), try trace(Recorder(limit: 3)))
    XCTAssertEqual([whole.omittedSteps, part.omittedSteps], [0, whole.steps.count - 3])
    XCTAssertEqual(part.steps.count, 3)
  }
}

import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain

/// Tests that a trace tells concurrent gets apart by their keys, and leaves open what it can't
/// tell.
final class RecordingKeysTests: XCTestCase {
  private let recorder = Recorder(clock: TimeSource.manual().clock)

  func testConcurrentGetsOfOtherKeysAreToldApart() {
    let recorder = Recorder()
    let memory: Cache<Int, Int> = .memory(capacity: 10_000)
    for key in 0..<400 where key % 2 == 0 { _ = memory.set(key, key) }
    let cache = (memory.named("memory") + Fetcher(offMainThread: false) { $0 }.named("origin"))
      .named("all")
      .observed(by: recorder)
    let wrong = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 {
        let key = thread * 100 + number
        let trace = recorder.trace({ cache.get(key) }).outcome?.value?.trace
        let expected = key % 2 == 0 ? "memory" : "origin"
        if trace?.answeredBy != expected || trace?.mayIncludeOtherGets != false {
          wrong.withLock { $0.append("\(key): \(trace?.table ?? "")") }
        }
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, [])
  }

  func testAConcurrentGetOfAnotherKeyIsLeftOutButNotAnEvictionOfItsKey() throws {
    let disk = ScriptedLevel(1, LevelScript(contents: [1: 10, 2: 20], hasSlowGets: true))
    let cache =
      (Cache<Int, Int>.memory(capacity: 1).named("memory") + disk.cache.named("disk"))
      .named("all").observed(by: recorder)
    let one = recorder.trace { cache.get(1) }
    let other = cache.get(2)
    disk.settle(1)
    XCTAssertEqual(other.outcome?.value, 20)
    disk.settle(0)
    let trace = try XCTUnwrap(one.outcome?.value?.trace)
    XCTAssertEqual(
      trace.steps.map { "\($0.stage) \($0.operation)" },
      [
        "all get", "memory get", "disk get", "all backFill", "memory set", "memory eviction",
      ])
    XCTAssertEqual(trace.answeredBy, "disk")
    XCTAssertFalse(trace.mayIncludeOtherGets)
  }

  func testAStepThatMightBelongToAnotherGetIsNotTheAnswer() throws {
    let disk = ScriptedLevel(1, LevelScript(contents: [1: 10, 2: 20], hasSlowGets: true))
    let cache = ({ (key: String) in Int(key) ?? 0 } <^> disk.cache.named("disk"))
      .observed(by: recorder)
    let one = recorder.trace { cache.get("1") }
    let two = recorder.trace { cache.get("2") }
    for _ in 0..<2 { disk.settle(0) }
    for traced in [one, two] {
      let trace = try XCTUnwrap(traced.outcome?.value?.trace)
      XCTAssertTrue(trace.mayIncludeOtherGets)
      XCTAssertNil(trace.answeredBy)
      XCTAssertTrue(trace.why.contains("unknown which stage"), trace.why)
    }
    let again = recorder.trace { cache.get("1") }
    disk.settle(0)
    XCTAssertEqual(again.outcome?.value?.trace.answeredBy, "disk")
  }
}

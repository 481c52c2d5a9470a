import Foundation
import Strata
import XCTest

/// Tests the walks of the article "One get, one set, one clear". Each test records the calls that
/// the levels of a pipeline receive, and compares them with the table of the article's section.
final class WalkStatementTests: StatementCase {
  private let calls = Journal<String>()
  private let stored: Cache<String, String> = .memory()
  /// What happens while the next set of the disk hangs.
  private let hanging = Journal<@Sendable () -> Void>()

  /// Returns a cache that notes the calls of another cache and their answers.
  private func noting(
    _ name: String, _ cache: Cache<String, String>
  ) -> Cache<String, String> {
    let (calls, hanging) = (calls, hanging)
    return Cache(
      keepsOrder: true,
      get: { key in
        let answer = cache.get(key)
        calls.note("\(name) | get | \(answer.outcome?.value == nil ? "miss" : "value")")
        return answer
      },
      set: { key, value in
        let work = name == "disk" ? hanging.drain().first : nil
        calls.note("\(name) | set | \(work == nil ? "done" : "hangs")")
        work?()
        return cache.set(key, value)
      },
      remove: { key in
        calls.note("\(name) | remove | done")
        return cache.remove(key)
      },
      clear: {
        calls.note("\(name) | clear | done")
        return cache.clear()
      },
      memoryWarning: { cache.memoryWarning() })
  }

  /// The article's pipeline, with a disk whose values the test can read.
  private func pipeline(isPooled: Bool = true) -> Cache<String, String> {
    let calls = calls
    let network = Fetcher<String, String>(offMainThread: false) { _ in
      calls.note("network | get | value")
      return "value"
    }
    let lower = noting("disk", stored) + network
    return noting("memory", memory) + (isPooled ? lower.pooled() : lower)
  }

  /// Returns the rows of the table below a heading, without the number of the step.
  private func rows(below heading: String) throws -> [String] {
    let page = try text(of: "Sources/Strata/Strata.docc/OneGetOneSetOneClear.md")
    let section = try XCTUnwrap(
      page.components(separatedBy: "\n### \(heading)\n").dropFirst().first)
    return section.components(separatedBy: "\n### ")[0].split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst()
      .map { row in row.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
      .map { $0.dropFirst().joined(separator: " | ").replacingOccurrences(of: "`", with: "") }
  }

  private func expectCalls(
    below heading: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    XCTAssertEqual(try rows(below: heading), calls.entries, heading, file: file, line: line)
  }

  func testAGetThatOnlyTheNetworkAnswers() throws {
    XCTAssertEqual(try ended(pipeline().get("a")).get(), "value")
    try expectCalls(below: "The first get")
  }

  func testAGetThatMemoryAnswers() throws {
    _ = memory.set("a", "value")
    XCTAssertEqual(try ended(pipeline().get("a")).get(), "value")
    try expectCalls(below: "The second get")
  }

  func testAGetAfterARestart() throws {
    _ = stored.set("a", "value")
    XCTAssertEqual(try ended(pipeline().get("a")).get(), "value")
    try expectCalls(below: "The first get after a restart")
    XCTAssertEqual(try ended(memory.get("a")).get(), "value")
  }

  func testASet() throws {
    XCTAssertNotNil(try ended(pipeline().set("a", "new")).value)
    try expectCalls(below: "One set")
    XCTAssertEqual(try ended(memory.get("a")).get(), "new")
    XCTAssertEqual(try ended(stored.get("a")).get(), "new")
  }

  func testASetDuringAGet() throws {
    let calls = calls
    let answer = Later<String>()
    let network = Cache<String, String>(
      as: .origin, keepsOrder: true,
      get: { _ in
        calls.note("network | get | later")
        return answer.promise
      }, set: { _, _ in Promise() })
    let lower = (noting("disk", stored) + network.fetcher).pooled()
    let cache = noting("memory", memory) + lower
    let get = cache.get("a")
    XCTAssertNotNil(try ended(cache.set("a", "new")).value)
    answer.continuation.succeed("old")
    XCTAssertEqual(try ended(get).get(), "old")
    try expectCalls(below: "A set while a get waits")
    XCTAssertEqual(try ended(cache.get("a")).get(), "new")
  }

  func testAClear() throws {
    let cache = pipeline()
    for key in ["a", "b"] { _ = memory.set(key, "value") }
    XCTAssertNotNil(try ended(cache.clear()).value)
    try expectCalls(below: "One clear")
    XCTAssertNil(memory.get("a").outcome?.value)
  }

  func testAClearWhileASetHangs() throws {
    let cache = pipeline(isPooled: false)
    XCTAssertEqual(try valueDuringAClear(of: cache), "value")
    try expectCalls(below: "A clear while a set hangs")
    for level in [memory, stored] { XCTAssertNil(level.get("a").outcome?.value) }
    XCTAssertNil(try valueDuringAClear(of: pipeline()))
    try expect("OneGetOneSetOneClear", states: "In `pages`, the pool is one level of the outer sum")
  }

  /// Begins a set that hangs in the disk, clears the cache, and gets the key. Returns the value of
  /// that get after the set has ended.
  private func valueDuringAClear(of cache: Cache<String, String>) throws -> String? {
    let found = Journal<String?>()
    hanging.note {
      let end = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        XCTAssertNotNil(cache.clear().outcome?.value)
        let outcome = cache.get("a").outcome
        XCTAssertNotNil(outcome)
        found.note(outcome?.value)
        end.signal()
      }
      end.wait()
    }
    XCTAssertNotNil(try ended(cache.set("a", "new")).value)
    return try XCTUnwrap(found.entries.first)
  }
}

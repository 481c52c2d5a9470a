import Foundation
import Strata
import XCTest

final class MemoizedTests: XCTestCase {
  private struct Refused: Error, Equatable {}

  /// A promise that the test settles.
  private struct Gate<Value: Sendable>: Sendable {
    let promise: Promise<Value>
    private let held = Lock<Promise<Value>.Continuation?>(nil)

    init() {
      let held = held
      promise = Promise { continuation in held.withLock { $0 = continuation } }
    }

    func succeed(_ value: Value) { _ = held.withLock { $0 }?.succeed(value) }
  }

  func testASecondCallReturnsTheStoredResult() async throws {
    let calls = Lock<[String]>([])
    let user = memoized(in: .memory()) { (id: Int, language: String) async throws -> String in
      calls.withLock { $0.append("\(id) \(language)") }
      return "\(language)\(id)"
    }
    for _ in 1...2 {
      let texts = [try await user(7, "en"), try await user(7, "de"), try await user(8, "en")]
      XCTAssertEqual(texts, ["en7", "de7", "en8"])
    }
    XCTAssertEqual(calls.withLock { $0 }, ["7 en", "7 de", "8 en"])
    try await user.forget(7, "en")
    _ = try await user(7, "en")
    XCTAssertEqual(calls.withLock { $0 }.count, 4)
  }

  func testTwoFunctionsOverOneStoreDoNotMeet() async throws {
    let store: Cache<MemoizedCall<Int>, Int> = .dictionary()
    func make(_ factor: Int) -> Memoized<Int, Int> { memoized(in: store) { $0 * factor } }
    let (one, other) = (make(2), make(3))
    let results = [try await one(5), try await other(5), try await one(5)]
    XCTAssertEqual(results, [10, 15, 10], "Both closures have the same place in the source code.")
  }

  func testFunctionsWithTheSameNameShareTheirResults() async throws {
    let store: Cache<String, Int> = .dictionary()
    let before = memoized(named: "count", in: store) { (text: String) in text.count }
    _ = try await before("four")
    let after = memoized(named: "count", in: store) { (_: String) -> Int in throw Refused() }
    let count = try await after("four")
    XCTAssertEqual(count, 4, "A later process finds the result.")
    let other = memoized(named: "size", in: store) { (_: String) in 0 }
    let size = try await other("four")
    XCTAssertEqual(size, 0)
    let stored = try await store.findValue(for: #"["count","four"]"#)
    XCTAssertEqual(stored, 4)
  }

  func testOverlappingCallsShareOneCall() async throws {
    let (calls, gate) = (Lock(0), Gate<Int>())
    let slow = memoized(in: .memory()) { (_: Int) async throws -> Int in
      calls.withLock { $0 += 1 }
      return try await gate.promise.value
    }
    let key = slow.call(1)
    let answers = (0..<3).map { _ in slow.cache.get(key) }
    answers[0].cancel()
    gate.succeed(5)
    let values = [try await answers[1].value, try await answers[2].value]
    XCTAssertEqual(values, [5, 5], "One caller's cancellation concerns no other caller.")
    XCTAssertEqual(calls.withLock { $0 }, 1)
  }

  func testTheLastCancelledCallerCancelsTheFunction() async throws {
    let (begun, ended, never) = (Gate<Void>(), Gate<Bool>(), Gate<Int>())
    let endless = memoized(in: .empty) { () async throws -> Int in
      begun.succeed(())
      do { return try await never.promise.value } catch {
        ended.succeed(Task.isCancelled)
        throw error
      }
    }
    let task = Task { try await endless() }
    try await begun.promise.value
    task.cancel()
    let isCancelled = try await ended.promise.value
    XCTAssertTrue(isCancelled)
    let outcome = await task.result
    XCTAssertThrowsError(try outcome.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
  }

  func testAThrownErrorIsNotStored() async throws {
    let calls = Lock(0)
    let half = memoized(in: .memory()) { (number: Int) throws -> Int in
      calls.withLock { $0 += 1 }
      guard number % 2 == 0 else { throw Refused() }
      return number / 2
    }
    for _ in 1...2 {
      do {
        _ = try await half(3)
        XCTFail("3 has no half")
      } catch { XCTAssertTrue(error is Refused, "\(error)") }
    }
    XCTAssertEqual(calls.withLock { $0 }, 2)
  }

  func testNilAndVoidAreResults() async throws {
    let calls = Lock<[String]>([])
    let find = memoized(in: .memory()) { (name: String) -> Int? in
      calls.withLock { $0.append("find \(name)") }
      return nil
    }
    let prepare = memoized(in: .memory()) { () -> Void in calls.withLock { $0.append("prepare") } }
    for _ in 1...2 {
      let found = try await find("a")
      XCTAssertNil(found)
      try await prepare()
    }
    XCTAssertEqual(calls.withLock { $0 }, ["find a", "prepare"])
    let stored: Cache<String, Int?> = .dictionary() <*> .json()
    let again = memoized(named: "find", in: stored) { (_: Int) -> Int? in nil }
    let (first, second) = (try await again(1), try await again(1))
    XCTAssertNil(first)
    XCTAssertNil(second)
  }

  func testThePlanNamesTheFunction() {
    let store: Cache<MemoizedCall<Int>, Int> = .memory()
    let named = memoized(named: "square", in: store) { $0 * $0 }
    XCTAssertEqual("\(named.cache.plan)", #"(memory(1000) + function("square")).pooled()"#)
    let plain = memoized(in: store) { $0 * $0 }
    XCTAssertEqual("\(plain.cache.plan)", "(memory(1000) + function).pooled()")
  }
}

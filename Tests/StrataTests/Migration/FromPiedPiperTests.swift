import Strata
import StrataMigration
import XCTest

/// Tests the Strata code in the migration table for PiedPiper, row by row.
final class FromPiedPiperTests: MigrationCase {
  private let promise = Promise(2)
  private let failing = Promise<Int>(error: CacheError.notFound)

  func testMaking() async throws {
    let one = Promise<Int> { continuation in continuation.succeed(2) }
    let two: Promise<Int> = Promise(Int("2"), or: CacheError.notFound)
    let three = Promise { try await slow(2) }
    let data: Promise<Data> = lower.get("none")
    let all = [one, two, three, Promise(2)]
    let values = try await Promise.all(all).value
    XCTAssertEqual(values, [2, 2, 2, 2])
    XCTAssertEqual(data.outcome?.error as? CacheError, .notFound)
    XCTAssertNotNil(Promise<Int>(error: CacheError.notFound).outcome?.error)
  }

  func testListening() {
    let ends = Journal<String>()
    promise.onSuccess { ends.note("kept \($0)") }.onFailure { ends.note("failed \($0)") }
      .onCancel { ends.note("cancelled") }.onCompletion { _ in ends.note("done") }
    XCTAssertEqual(ends.entries, ["kept 2", "done"])
    let promise = promise
    let copy = Promise<Int> { continuation in promise.observed { continuation.settle($0) } }
    XCTAssertEqual(copy.outcome?.value, 2)
  }

  func testMaps() throws {
    XCTAssertEqual(try now(promise.map { $0 + 1 }), 3)
    XCTAssertEqual(try now(promise.flatMap { Promise($0 + 1) }), 3)
    XCTAssertEqual(try now(promise.flatMap { Promise(half($0)) }), 1)
    XCTAssertEqual(
      try now(promise.flatMap { Promise(Int("\($0)"), or: CacheError.notFound) }), 2)
    XCTAssertEqual(try now(promise.filter { $0 == 2 }), 2)
    XCTAssertEqual(try now(failing.recover { _ in 4 }), 4)
    XCTAssertEqual(try now(promise.zip(promise)).1, 2)
    XCTAssertEqual(try now(promise.zip(Promise(half(4)))).1, 2)
  }

  func testMany() throws {
    XCTAssertEqual(try now([promise, promise].reduce(0, combine: +)), 4)
    XCTAssertEqual(try now(Promise.all([promise, promise])), [2, 2])
    XCTAssertEqual(try now([failing, promise].mergeSome()), [2])
    XCTAssertEqual(try now([1, 2].traverse { Promise($0 * 2) }), [2, 4])
    XCTAssertEqual(try now([promise, failing].firstCompleted()), 2)
  }

  func testTime() throws {
    let (time, clock) = TimeSource.manual()
    XCTAssertEqual(try now(promise.timeout(after: .seconds(1))), 2)
    let late = promise.delayed(by: .seconds(1), clock: time)
    XCTAssertNil(late.outcome?.value)
    clock.advance(by: .seconds(1))
    XCTAssertEqual(try now(late), 2)
    let promise = promise
    XCTAssertEqual(try now(retry(1) { promise }), 2)
  }

  func testOutcomes() throws {
    XCTAssertEqual(promise.outcome?.value, 2)
    let outcome = try XCTUnwrap(promise.outcome)
    XCTAssertEqual(outcome.map { $0 + 1 }.value, 3)
    XCTAssertEqual(outcome.flatMap { .success("\($0)") }.value, "2")
    XCTAssertEqual(outcome.filter { $0 == 2 }.value, 2)
  }

  func testQueues() async throws {
    let moved = promise.dispatched(on: queue)
    let value = try await moved.value
    XCTAssertEqual(value, 2)
  }
}

@Sendable private func half(_ number: Int) -> Result<Int, Broken> {
  number.isMultiple(of: 2) ? .success(number / 2) : .failure(.here)
}

@Sendable private func slow(_ number: Int) async throws -> Int { number }

import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks histories of overlapping operations by several clients. Each history must be one that a
/// cache could produce, given that a cache may forget values.
///
/// A memory level is linearizable: there is one order of all operations that explains every result.
/// A sum is regular: a get that overlaps a write may return the old or the new value. After the
/// write has settled, no new get returns an older value.
final class LinearizabilityTests: XCTestCase {
  fileprivate enum Operation: Sendable {
    case get(Int)
    case set(Int, Int)
    case remove(Int)
    case clear
  }

  fileprivate struct Call: Sendable {
    let operation: Operation
    let answer: Int?
    let begin: UInt64
    let end: UInt64
  }

  func testEveryHistoryOfAMemoryLevelHasAnOrder() {
    check(hasOrder) { .memory(capacity: 1) }
    check(hasOrder) { .memory(capacity: 2) }
  }

  func testNoHistoryOfASumFindsLessThanWhatHasSettled() {
    check(isRegular) { .memory(capacity: 1) + .memory(capacity: 2) }
  }

  func testNoHistoryOfAPooledSumFindsLessThanWhatHasSettled() {
    check(isRegular) { (.memory(capacity: 1) + .memory(capacity: 2)).pooled() }
    check(isRegular) { .memory(capacity: 1) + Cache<Int, Int>.memory(capacity: 2).pooled() }
  }

  func testAHistoryThatNothingExplainsIsFound() {
    let set1 = Call(operation: .set(0, 1), answer: nil, begin: 0, end: 1)
    let set2 = Call(operation: .set(0, 2), answer: nil, begin: 2, end: 3)
    let fresh = Call(operation: .get(0), answer: 2, begin: 4, end: 5)
    let stale = Call(operation: .get(0), answer: 1, begin: 6, end: 7)
    let missed = Call(operation: .get(0), answer: nil, begin: 6, end: 7)
    XCTAssertFalse(hasOrder([set1, set2, fresh, stale]))
    XCTAssertTrue(hasOrder([set1, set2, fresh, missed]))
    XCTAssertFalse(isRegular([set1, set2, stale]))
    XCTAssertTrue(isRegular([set1, set2, fresh, missed]))
  }

  private func check(
    line: UInt = #line, _ isExplained: ([Call]) -> Bool, _ make: () -> Cache<Int, Int>
  ) {
    let clients = Clients(count: 3)
    for round in 0..<Extent.rounds(250, full: 10_000) {
      let seed = LawSeed.value &+ UInt64(round)
      let history = clients.run(make(), seed: seed)
      if !isExplained(history) {
        let lines = history.sorted { $0.begin < $1.begin }.map { call in
          "  \(call.begin)...\(call.end) \(call.operation): \(call.answer.map { "\($0)" } ?? "-")"
        }
        XCTFail("STRATA_SEED=\(seed):\n" + lines.joined(separator: "\n"), line: line)
        return
      }
    }
  }

  /// Whether no get returned an unknown or outdated value. A value is unknown if it was never set,
  /// and outdated if a newer write to the key settled before the get began.
  private func isRegular(_ calls: [Call]) -> Bool {
    calls.allSatisfy { get in
      guard case .get(let key) = get.operation, let answer = get.answer else { return true }
      return calls.contains { set in
        guard case .set(key, answer) = set.operation, set.begin < get.end else { return false }
        return !calls.contains { later in
          later.operation.writes(key) && set.end < later.begin && later.end < get.begin
        }
      }
    }
  }

  private func hasOrder(_ calls: [Call]) -> Bool { hasOrder(calls, [:]) }

  /// Searches for an order of the operations that explains every result. Operations that didn't
  /// overlap must stay in their original sequence. `held` contains the current values.
  private func hasOrder(_ calls: [Call], _ held: [Int: Int]) -> Bool {
    guard !calls.isEmpty else { return true }
    let firstEnd = calls.map(\.end).min() ?? 0
    for (place, call) in calls.enumerated() where call.begin <= firstEnd {
      var rest = calls
      rest.remove(at: place)
      var held = held
      switch call.operation {
      case .get(let key):
        // A forgotten value must not reappear: after a miss, the key has no value until the next
        // `set`.
        if let answer = call.answer, held[key] != answer { continue }
        if call.answer == nil { held[key] = nil }
      case .set(let key, let value): held[key] = value
      case .remove(let key): held[key] = nil
      case .clear: held = [:]
      }
      if hasOrder(rest, held) { return true }
    }
    return false
  }
}

extension LinearizabilityTests.Operation {
  fileprivate func writes(_ other: Int) -> Bool {
    switch self {
    case .get: false
    case .set(let key, _), .remove(let key): key == other
    case .clear: true
    }
  }
}

/// Runs threads that start at the same time and use the same cache.
private final class Clients: Sendable {
  private let clock = Lock<UInt64>(0)
  private let count: Int

  init(count: Int) { self.count = count }

  private func tick() -> UInt64 {
    clock.withLock { clock in
      clock += 1
      return clock
    }
  }

  func run(_ cache: Cache<Int, Int>, seed: UInt64) -> [LinearizabilityTests.Call] {
    let history = Lock<[LinearizabilityTests.Call]>([])
    DispatchQueue.concurrentPerform(iterations: count) { client in
      var random = SeededGenerator(seed: seed &* 31 &+ UInt64(client))
      for step in 0..<4 {
        if Bool.random(using: &random) { sched_yield() }
        let operation = Self.operation(client * 4 + step, using: &random)
        let begin = tick()
        let answer = perform(operation, cache)
        let end = tick()
        history.withLock {
          $0.append(.init(operation: operation, answer: answer, begin: begin, end: end))
        }
      }
    }
    return history.withLock { $0 }
  }

  private static func operation(
    _ value: Int, using random: inout SeededGenerator
  ) -> LinearizabilityTests.Operation {
    let key = Int.random(in: 0..<2, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: return .get(key)
    case 4..<6: return .set(key, value)
    case 6: return .remove(key)
    default: return .clear
    }
  }

  private func perform(
    _ operation: LinearizabilityTests.Operation, _ cache: Cache<Int, Int>
  ) -> Int? {
    let limit = Duration.seconds(300)
    switch operation {
    case .get(let key): return try? cache.get(key).wait(for: limit)
    case .set(let key, let value): try? cache.set(key, value).wait(for: limit)
    case .remove(let key): try? cache.remove(key).wait(for: limit)
    case .clear: try? cache.clear().wait(for: limit)
    }
    return nil
  }
}

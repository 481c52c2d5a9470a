import StrataVerbs
import XCTest

@testable import StrataLaws

/// Tests that the search for a smaller violation ends when its check must end.
final class ShrinkingTests: XCTestCase {
  /// A law that is always violated, and whose search would need a million checks.
  private static func law(_ judged: @escaping @Sendable (_ count: Int) -> Void, tries: Int = 1)
    -> Laws
  {
    let count = Lock(0)
    return Laws(
      "endless",
      [
        Law(
          "endless.law", "false", "This law is violated.", tries: tries,
          draw: { _ in Long(size: 1_000_000) }
        ) { trial in
          judged(
            count.withLock { count in
              count += 1
              return count
            })
          return LawEvidence(left: ("seen", trial.lines), right: ("lawful", []))
        }
      ])
  }

  private static func violation(
    _ laws: Laws, for duration: Duration? = nil
  ) async -> LawViolation? {
    do {
      try await Laws.check(laws, for: duration)
      return nil
    } catch {
      return error as? LawViolation
    }
  }

  func testTheTimeOfACheckEndsTheSearch() async {
    for tries in [1, 20] {
      let all = Lock(0)
      let laws = Self.law({ _ in all.withLock { $0 += 1 } }, tries: tries)
      let found = await Self.violation(laws, for: .zero)
      XCTAssertEqual(found?.operations, 1_000_000)
      XCTAssertEqual(all.withLock { $0 }, 1)
    }
  }

  func testACancellationEndsTheSearch() async {
    let task = Lock<Task<LawViolation?, Never>?>(nil)
    let most = Lock(0)
    let isReady = Promise<Void>.held()
    let laws = Self.law { count in
      most.withLock { $0 = count }
      if count == 1 { Patience().wait(for: isReady.promise) }
      if count == 5 { task.withLock { $0 }?.cancel() }
    }
    let check = Task.detached { await ShrinkingTests.violation(laws, for: nil) }
    task.withLock { $0 = check }
    isReady.succeed()
    let found = await check.value
    XCTAssertNotNil(found)
    XCTAssertEqual(most.withLock { $0 }, 5)
  }

  /// A trial that is smaller by one in its only variant.
  private struct Long: Trial {
    let size: Int
    var simpler: [Long] { size > 1 ? [Long(size: size - 1)] : [] }
    var lines: [String] { ["\(size)"] }
  }
}

extension Promise where Value == Void {
  /// Returns a promise and the function that settles it.
  fileprivate static func held() -> (promise: Promise, succeed: @Sendable () -> Void) {
    let kept = Lock<Continuation?>(nil)
    let promise = Promise { continuation in kept.withLock { $0 = continuation } }
    return (promise, { kept.withLock { $0 }?.succeed() })
  }
}

import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Checks that releasing a settled promise releases everything that the promise holds, whatever the
/// outcome was.
final class LeakTests: XCTestCase {
  private final class Token: Sendable {}

  private typealias Build = @Sendable (Promise<Int>, Promise<Int>, TimeSource) -> Promise<Int>

  private static let builds: [(name: String, build: Build)] = [
    ("map", { one, _, _ in one.map { $0 } }),
    ("flatMap", { one, other, _ in one.flatMap { _ in other } }),
    ("recover", { one, other, _ in one.recover { _ in other } }),
    ("filter", { one, _, _ in one.filter { $0 > 0 } }),
    ("timeout", { one, _, time in one.timeout(after: .seconds(1), clock: time) }),
    ("delayed", { one, _, time in one.delayed(by: .seconds(1), clock: time) }),
    ("all", { one, other, _ in Promise.all([one, other, one]).map { $0.count } }),
    ("retry", { one, _, time in retry(2, every: .seconds(1), clock: time) { one } }),
    ("retry immediately", { one, other, _ in retry(2) { one.recover { _ in other } } }),
  ]

  private enum End: CaseIterable { case success, failure, cancelled, abandoned, withdrawn }

  func testEveryOperatorIsReleasedAfterAnyOutcome() {
    for (name, build) in Self.builds {
      for end in End.allCases {
        weak var weakToken: Token?
        weak var weakResult: AnyObject?
        do {
          let token = Token()
          weakToken = token
          weakResult = Self.run(build, end, holding: token)
        }
        XCTAssertNil(weakToken, "\(name), \(end): The callback should be released.")
        XCTAssertNil(weakResult, "\(name), \(end): The promise should be released.")
      }
    }
  }

  /// Settles the promise that `build` creates, and returns the promise's internal object.
  private static func run(_ build: Build, _ end: End, holding token: Token) -> AnyObject? {
    let hold: @Sendable () -> Void = { withExtendedLifetime(token) {} }
    let (time, clock) = TimeSource.manual()
    var (one, other): (Later<Int>?, Later<Int>?) = (Later(stopping: hold), Later(stopping: hold))
    let result = build(
      one!.promise.map { value in
        hold(); return value
      }, other!.promise, time)
    result.onCompletion { _ in hold() }.onFailure { _ in hold() }.onCancel(hold)
    switch end {
    case .success: for work in [one, other] { work?.continuation.succeed(1) }
    case .failure: for work in [one, other] { work?.continuation.fail(Broken.here) }
    case .cancelled: one?.promise.cancel()
    case .abandoned: (one, other) = (nil, nil)
    case .withdrawn: result.cancel()
    }
    clock.advance(by: .seconds(10))
    (one, other) = (nil, nil)
    guard case .pending(let pending) = result.state else { return nil }
    return pending.state.buffer
  }

  func testATaskThatWaitedIsReleased() async {
    for end in End.allCases {
      weak var weakToken: Token?
      do {
        var work: Later<Int>? = {
          let token = Token()
          weakToken = token
          return Later { withExtendedLifetime(token) {} }
        }()
        let promise = work!.promise
        let task = Task { try await promise.value }
        while promise.interests == 0 { await Task.yield() }
        switch end {
        case .success: work?.continuation.succeed(1)
        case .failure: work?.continuation.fail(Broken.here)
        case .cancelled: promise.cancel()
        case .abandoned: work = nil
        case .withdrawn: task.cancel()
        }
        _ = await task.result
      }
      XCTAssertNil(weakToken, "\(end)")
    }
  }
}

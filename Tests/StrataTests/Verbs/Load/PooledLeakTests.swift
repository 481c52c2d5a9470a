import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that a pool retains no objects of a finished load, and that the pool is released with its
/// last cache.
final class PooledLeakTests: XCTestCase {
  private final class Token: Sendable {}

  private enum End: CaseIterable { case success, failure, cancelled, withdrawn, abandoned, written }

  func testNothingIsRetainedAfterALoad() {
    for end in End.allCases {
      weak var weakToken: Token?
      do {
        let token = Token()
        weakToken = token
        run(end, holding: token)
      }
      XCTAssertNil(weakToken, "\(end)")
    }
  }

  private func run(_ end: End, holding token: Token) {
    var load: Later<Int>? = Later(stopping: { withExtendedLifetime(token) {} })
    let promise = load!.promise
    let cache = Cache<Int, Int>(
      get: { _ in withExtendedLifetime(token) { promise } }, set: { _, _ in Promise() }
    ).pooled()
    let gets = (0..<3).map { _ in cache.get(0) }
    XCTAssertNil(gets[0].outcome)
    switch end {
    case .success: load?.continuation.succeed(1)
    case .failure: load?.continuation.fail(Broken.here)
    case .cancelled: promise.cancel()
    case .withdrawn: for get in gets { get.cancel() }
    case .abandoned: break
    case .written:
      _ = cache.set(0, 2)
      load?.continuation.succeed(1)
    }
    load = nil
  }
}

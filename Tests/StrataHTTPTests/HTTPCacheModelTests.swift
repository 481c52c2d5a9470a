import XCTest

@testable import StrataCore
@testable import StrataHTTP

/// Runs random programs of requests, changes, and delays against an origin that records its
/// responses.
///
/// The test compares each answer of the cache with the responses that the origin recorded. The
/// comparison doesn't use any of the cache's code. The cache must return only responses that the
/// origin sent for the requested URL. A response with `Vary` must also match the request in the
/// field that `Vary` names. A hit must be fresh, unless a stale response is permitted. Every change
/// of a resource is made by a request through the cache, so a hit must contain the latest version.
final class HTTPCacheModelTests: XCTestCase {
  func testNoAnswerBreaksARule() {
    for seed in UInt64(1)...60 {
      let violations = Self.violations(seed)
      XCTAssertEqual(violations, [], "seed \(seed)")
    }
  }

  func testPlantedFaultsAreFound() {
    for fault in HTTPModel.Fault.allCases {
      let isFound = (UInt64(1)...100).contains { seed in
        !Self.violations(seed, fault).isEmpty
      }
      XCTAssertTrue(isFound, "\(fault)")
    }
  }

  private static func violations(_ seed: UInt64, _ fault: HTTPModel.Fault? = nil) -> [String] {
    var model = HTTPModel(seed: seed, fault: fault)
    return model.run(steps: 60)
  }
}

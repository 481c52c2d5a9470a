import XCTest

@testable import Strata
@testable import StrataHTTP

/// Random programs of requests, changes, and delays against an origin that records its responses.
///
/// The test compares each answer of the cache with the responses that the origin recorded. The
/// rules of this comparison don't use the code of the cache. A hit must be a response of the origin
/// to the same request. The response must be fresh, unless a stale response is permitted. The
/// response must not be older than the last change through the cache.
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

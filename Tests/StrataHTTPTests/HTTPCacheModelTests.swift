import XCTest

@testable import Strata
@testable import StrataHTTP

/// Runs random programs of requests, changes, and delays against an origin that records its
/// responses.
///
/// The test compares each answer of the cache with the responses that the origin recorded. The
/// comparison doesn't use any code of the cache. The cache must return only responses that the
/// origin sent for the requested URL. If a response has `Vary`, the varying field must also match.
/// A hit must be fresh, unless a stale response is permitted. All changes are made by requests
/// through the cache, so a hit must also contain the latest version.
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

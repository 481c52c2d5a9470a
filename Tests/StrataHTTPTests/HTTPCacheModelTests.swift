import XCTest

@testable import Strata
@testable import StrataHTTP

/// Random programs of requests, changes, and delays against an origin that records its responses.
///
/// The test checks each answer of the cache with its own rules, from the record of the origin. A
/// hit must be a response of the origin to this request. It must be fresh or permitted, and not
/// older than the last change through the cache.
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

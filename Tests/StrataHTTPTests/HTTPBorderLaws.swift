import XCTest

@testable import StrataCore
@testable import StrataHTTP

/// The laws for levels above an HTTP cache. Each random program has one or two levels above the
/// HTTP cache. These levels contain either text or undecoded bytes.
final class HTTPBorderLaws: XCTestCase {
  func testTheLawsHold() {
    for seed in UInt64(1)...60 {
      XCTAssertEqual(Self.broken(seed), [], "seed \(seed)")
    }
  }

  func testEachLawFindsItsPlantedFaults() {
    for fault in HTTPBorderModel.Fault.allCases {
      let isFound = (UInt64(1)...100).contains { Self.broken($0, fault).contains(fault.law) }
      XCTAssertTrue(isFound, fault.rawValue)
    }
    let laws = Set(HTTPBorderModel.Fault.allCases.map(\.law))
    XCTAssertEqual(laws, Set(HTTPBorderModel.Law.allCases.map(\.rawValue)))
  }

  private static func broken(
    _ seed: UInt64, _ fault: HTTPBorderModel.Fault? = nil
  ) -> Set<String> {
    var model = HTTPBorderModel(seed: seed, fault: fault)
    return model.run(steps: 60)
  }
}

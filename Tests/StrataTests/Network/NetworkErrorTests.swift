import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

final class NetworkErrorTests: XCTestCase {
  func testOnlyTheStatusesOfAbsenceAreMisses() {
    let reasons: [NetworkError.Reason] = [
      .status(404), .status(401), .status(206), .status(304), .status(500), .status(302),
      .incompleteBody(received: 3, announced: 9), .deadlinePassed(.seconds(60)), .cancelled,
      .undecodableBody("a"),
      .transport(URLError(.cannotConnectToHost)), .transport(CocoaError(.fileNoSuchFile)),
    ]
    let misses = reasons.filter { NetworkError($0, url: nil).isMiss }.map { "\($0)" }
    XCTAssertEqual(misses, ["status(404)"])
    XCTAssertTrue(NetworkError(.status(410), url: nil).isMiss)
  }
}

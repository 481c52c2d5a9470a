import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork

/// Tests the descriptions of failures. A description must not contain secrets.
final class NetworkErrorDescriptionTests: XCTestCase {
  private let reasons: [NetworkError.Reason] = [
    .status(404), .status(401), .status(206), .status(304), .status(500), .status(302),
    .incompleteBody(received: 3, announced: 9), .conflictingLengths("3, 5"),
    .tooLarge(maximum: 10), .deadlinePassed(.seconds(60)), .tooManyRedirects(maximum: 10),
    .refusedURL("it has no host"), .refusedRequest("a"),
    .undecodableBody("a"),
    .malformedResponse("a"), .cancelled,
    .transport(URLError(.cannotConnectToHost)), .transport(CocoaError(.fileNoSuchFile)),
  ]

  func testDescriptionsNameTheOriginAndHideTheSecrets() throws {
    let url = try XCTUnwrap(
      URL(string: "https://user:hunter2@host.test:8443/path?token=abracadabra#sesame"))
    for reason in reasons {
      let error = NetworkError(reason, url: url)
      let texts = [
        error.description, error.localizedDescription, String(reflecting: error), "\([error])",
        {
          var text = ""
          dump(error, to: &text)
          return text
        }(),
      ]
      for text in texts {
        XCTAssertTrue(text.contains("https://host.test:8443/path"), text)
        for secret in ["user", "hunter2", "abracadabra", "sesame"] {
          XCTAssertFalse(text.contains(secret), text)
        }
      }
    }
  }

  func testDescriptionsNameARemedy() {
    let descriptions = reasons.map { NetworkError($0, url: nil).description }
    XCTAssertEqual(Set(descriptions).count, reasons.count)
    let silent = descriptions.filter { !$0.contains(";") && !$0.contains("cancelled") }
    XCTAssertEqual(silent, [])
  }
}

import Foundation
import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork

final class StoredResponseRecordTests: XCTestCase {
  func testAURLKeepsItsBytes() throws {
    for text in [
      "http://h.example/list?filter[name]=J%C3%BCrgen", "http://h.example/a|b%20c",
      "http://[::1]:80/", "http://h.example/%7e?q=%", "http://h.example?x=^%25",
    ] {
      guard let url = URLReference(text).url else { continue }
      let now = TimeSource.system.now()
      let response = NetworkResponse(status: 200, url: url, requestTime: now, responseTime: now)
      var writer = RecordWriter(capacity: 100)
      StoredResponse(response, selecting: [], range: nil).write(to: &writer)
      var reader = RecordReader(writer.bytes)
      XCTAssertEqual(
        try StoredResponse(&reader).response.url.absoluteString, url.absoluteString, text)
    }
  }
}

import Foundation
import XCTest

@testable import Strata

/// What tests of the codec of JSON values ask.
class JSONValueCase: XCTestCase {
  let codec: Codec<Data, JSONValue> = .jsonValue

  func read(_ text: String) -> Promise<JSONValue>.Outcome {
    codec.decode(Data(text.utf8)).outcome!
  }

  func written(_ value: JSONValue) -> String? {
    codec.encode(value).outcome?.value.map { String(decoding: $0, as: UTF8.self) }
  }
}

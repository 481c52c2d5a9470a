import Dispatch
import Strata
import StrataLaws
import XCTest

/// A level whose operations run on a dispatch queue obeys the laws of a level.
final class DispatchingLaws: XCTestCase {
  func testOperationsOfAKeyKeepTheirOrderOnAnyQueue() async throws {
    let serial = DispatchQueue(label: "serial")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for queue in [serial, concurrent] {
      try await checkTogether(
        .level("dispatched") { Cache<Int, Int>.memory().dispatched(on: queue) },
        cases: Extent.cases(30))
    }
  }
}

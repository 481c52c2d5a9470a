import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class OutcomeTests: XCTestCase {
  func testOutcomesDistinguishValuesErrorsAndCancellations() {
    let outcomes: [Promise<Int>.Outcome] = [.success(1), .failure(Broken.here), .cancelled]
    XCTAssertEqual(outcomes.map(\.value), [1, nil, nil])
    XCTAssertEqual(outcomes.map { $0.error as? Broken }, [nil, .here, nil])
    XCTAssertEqual(outcomes.map(\.isCancelled), [false, false, true])
    XCTAssertEqual(try? outcomes[0].get(), 1)
    XCTAssertThrowsError(try outcomes[1].get()) { XCTAssertEqual($0 as? Broken, .here) }
    XCTAssertThrowsError(try outcomes[2].get()) { XCTAssertTrue($0 is CancellationError) }
  }
}

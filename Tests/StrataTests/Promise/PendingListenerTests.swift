import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PendingListenerTests: XCTestCase {
  private let journal = Journal<String>()

  func testAListenerReceivesTheOutcomeOrSettlesWithIt() {
    let ends: [Promise<Int>.Outcome] = [.success(1), .failure(Broken.here), .cancelled]
    let journal = journal
    for end in ends {
      let (pending, other) = (Pending<Int>(), Pending<Int>())
      _ = pending.listen(isInterest: false) { journal.note($0.text) }
      _ = pending.listen(isInterest: false, settling: other)
      XCTAssertEqual(other.promise.text, "pending")
      pending.settle(end)
      journal.note(other.promise.text)
    }
    XCTAssertEqual(
      journal.entries, ["1", "1", "failed: here", "failed: here", "cancelled", "cancelled"])
  }

  func testAJoinedPromiseEndsWithItsSourceAndTakesOneInterest() {
    let pending = Pending<Int>()
    let (one, other) = (pending.joined(), pending.joined())
    XCTAssertEqual(pending.promise.interests, 2)
    one?.cancel()
    XCTAssertEqual(pending.promise.interests, 1)
    pending.settle(.success(3))
    XCTAssertEqual([one?.text, other?.text], ["cancelled", "3"])
  }

  func testTheLastInterestToWithdrawCancels() {
    let pending = Pending<Int>()
    let journal = journal
    pending.onCancel { journal.note("stopped") }
    let joined = [pending.joined(), pending.joined()]
    for promise in joined { promise?.cancel() }
    XCTAssertEqual(journal.entries, ["stopped"])
  }

  func testASettledPromiseCanBeJoinedAndACancelledOneCannot() {
    let ends: [Promise<Int>.Outcome] = [.success(1), .failure(Broken.here), .cancelled]
    let texts = ends.map { end in
      let pending = Pending<Int>()
      pending.settle(end)
      return pending.joined()?.text
    }
    XCTAssertEqual(texts, ["1", "failed: here", nil])
  }
}

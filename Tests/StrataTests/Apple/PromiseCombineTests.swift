#if canImport(Combine)
  import Combine
  import Strata
  import XCTest

  final class PromiseCombineTests: XCTestCase {
    private struct Refused: Error {}

    private let journal = Journal<String>()

    private func listen(to promise: Strata.Promise<Int>) -> AnyCancellable {
      promise.publisher.sink { [journal] end in
        if case .failure(let error) = end { journal.note("\(type(of: error))") }
        if case .finished = end { journal.note("end") }
      } receiveValue: { [journal] value in
        journal.note("\(value)")
      }
    }

    func testAPublisherSendsTheValueAndEnds() {
      let subscription = listen(to: Promise(7))
      XCTAssertEqual(journal.entries, ["7", "end"])
      subscription.cancel()
    }

    func testAPublisherFailsAsItsPromiseDoes() {
      let subscription = listen(to: Promise(error: Refused()))
      XCTAssertEqual(journal.entries, ["Refused"])
      subscription.cancel()
    }

    func testALaterValueIsSentToEachSubscriber() {
      var settle: ((Int) -> Void)?
      let promise = Promise<Int> { (continuation: Promise<Int>.Continuation) in
        settle = { continuation.succeed($0) }
      }
      let subscriptions = [listen(to: promise), listen(to: promise)]
      XCTAssertEqual(journal.entries, [])
      settle?(3)
      XCTAssertEqual(journal.entries, ["3", "end", "3", "end"])
      for subscription in subscriptions { subscription.cancel() }
    }

    func testTheLastCancellationWithdrawsTheInterest() {
      let journal = journal
      var held: Promise<Int>.Continuation?
      let promise = Promise<Int> { (continuation: Promise<Int>.Continuation) in
        held = continuation  // Releasing the continuation would fail the promise.
        continuation.onCancel { journal.note("withdrawn") }
      }
      let subscriptions = [listen(to: promise), listen(to: promise)]
      subscriptions[0].cancel()
      XCTAssertEqual(journal.entries, [])
      subscriptions[1].cancel()
      XCTAssertEqual(journal.entries, ["withdrawn"])
      withExtendedLifetime(held) {}
    }

    func testTheFirstValueOfAPublisherSettlesAPromise() {
      let subject = PassthroughSubject<Int, any Error>()
      let promise = Promise<Int>(subject)
      subject.send(1)
      subject.send(2)
      XCTAssertEqual(promise.outcome?.value, 1)
    }

    func testAPublisherWithoutAValueIsAMiss() {
      let subject = PassthroughSubject<Int, any Error>()
      let promise = Promise<Int>(subject)
      subject.send(completion: .finished)
      XCTAssertEqual(promise.outcome?.error as? CacheError, .notFound)
    }

    func testAFailedPublisherFailsThePromise() {
      let subject = PassthroughSubject<Int, any Error>()
      let promise = Promise<Int>(subject)
      subject.send(completion: .failure(Refused()))
      XCTAssertTrue(promise.outcome?.error is Refused)
    }

    func testACancelledPromiseEndsTheSubscription() {
      let (subject, journal) = (PassthroughSubject<Int, any Error>(), journal)
      let promise = Promise<Int>(
        subject.handleEvents(receiveCancel: { journal.note("cancelled") }).eraseToAnyPublisher())
      promise.cancel()
      XCTAssertEqual(journal.entries, ["cancelled"])
    }
  }
#endif

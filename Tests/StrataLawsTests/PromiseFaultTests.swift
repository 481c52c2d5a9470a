import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of futures.
final class PromiseFaultTests: FaultCase {
  /// A faulty future that acquires its lock separately for each step of an operation.
  private final class Future: Sendable {
    struct State {
      var number: Int?
      var listeners: [@Sendable (Int) -> Void] = []
    }

    let state = Box(State())
    let isLossy: Bool
    let isDoubling: Bool
    let isSettledTwice: Bool
    let isSlow: Bool

    init(
      isLossy: Bool = false, isDoubling: Bool = false, isSettledTwice: Bool = false,
      isSlow: Bool = false
    ) {
      self.isLossy = isLossy
      self.isDoubling = isDoubling
      self.isSettledTwice = isSettledTwice
      self.isSlow = isSlow
    }

    var shot: OneShot {
      OneShot(
        listen: { body in
          if let number = self.state.value.number {
            if !self.isLossy { body(number) }
            if !self.isDoubling { return }
          }
          // Yields up to 30 times, until another thread has settled the future. This wait makes the
          // race likely.
          if self.isSlow { for _ in 0..<30 where self.state.value.number == nil { sched_yield() } }
          self.state.update { $0.listeners.append(body) }
        },
        settle: { number in
          if self.state.value.number != nil, !self.isSettledTwice {
            if self.isDoubling { for body in self.state.value.listeners { body(number) } }
            return false
          }
          self.state.update { $0.number = number }
          for body in self.state.value.listeners { body(number) }
          return true
        })
    }
  }

  func testALostCallback() {
    expectCaught(
      "lostCallback", by: .exactlyOnce { Future(isLossy: true).shot },
      as: ["exactlyOnce.inOrder", "exactlyOnce.onThreads"])
  }

  func testADoubledCallback() {
    expectCaught(
      "doubledCallback", by: .exactlyOnce { Future(isDoubling: true).shot },
      as: ["exactlyOnce.inOrder", "exactlyOnce.onThreads"])
  }

  func testCallbacksInTheOppositeOrder() {
    expectCaught(
      "reversed",
      by: .exactlyOnce {
        let state = Box(Future.State())
        return OneShot(
          listen: { body in
            let number = state.update { state in
              if state.number == nil { state.listeners.insert(body, at: 0) }
              return state.number
            }
            number.map(body)
          },
          settle: { number in
            let listeners = state.update { state in
              defer { state.number = state.number ?? number }
              return state.number == nil ? state.listeners : nil
            }
            for body in listeners ?? [] { body(number) }
            return listeners != nil
          })
      }, as: "exactlyOnce.inOrder", alone: true)
  }

  func testACallbackThatRacesWithTheAnswer() {
    expectCaught(
      "racingCallback", by: .exactlyOnce { Future(isSlow: true).shot }, as: "exactlyOnce.onThreads",
      alone: true)
  }

  func testAPromiseThatSettlesTwice() {
    expectCaught(
      "settlesTwice", by: .exactlyOnce { Future(isSettledTwice: true).shot },
      as: ["exactlyOnce.inOrder", "exactlyOnce.onThreads"])
  }

  func testACancellationThatIsLostInTheSecondStage() {
    expectCaught(
      "lostInStage2",
      by: .promise { promise, transform in
        Promise { continuation in
          continuation.onCancel { promise.cancel() }
          promise.onCompletion { outcome in
            guard case .success(let value) = outcome else {
              return _ = continuation.settle(outcome)
            }
            do { try transform(value).observed { continuation.settle($0) } } catch {
              continuation.fail(error)
            }
          }
        }
      }, as: ["promise.leftIdentity", "promise.associativity", "promise.cancelling"])
  }

  func testAThrownErrorThatIsReportedAsACancellation() {
    expectCaught(
      "thrownIsCancelled",
      by: .promise { promise, transform in
        promise.flatMap { value in (try? transform(value)) ?? .cancelled }
      }, as: ["promise.leftIdentity", "promise.cancelling"])
  }

  func testAFailureThatIsReportedAsACancellation() {
    expectCaught(
      "failureIsCancelled",
      by: .promise { promise, transform in
        Promise { continuation in
          let next = promise.flatMap(transform)
          continuation.onCancel { next.cancel() }
          promise.observed { if case .failure = $0 { continuation.cancel() } }
          next.observed { continuation.settle($0) }
        }
      }, as: ["promise.rightIdentity", "promise.map"])
  }
}

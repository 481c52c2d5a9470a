import Strata
import StrataLaws

/// Checks that the laws catch faults in reads that return several answers, such as a stored value
/// and then a new value.
final class UpdatesFaultTests: FaultCase {
  private enum Fault {
    case staleAfterFresh, dropsEqual, errorHides, asksTwice, storesNothing, waitsForFresh
    case goesOn, swallowsErrors, overwrites, keepsWhatIsGone, failureRemoves
  }

  private func expectCaught(
    _ fault: Fault, as name: String, line: UInt = #line
  ) {
    let laws = Laws.updates { Self.naive(fault, $0, $1) }
    expectCaught("\(fault)", by: laws, as: name, line: line)
  }

  func testAStaleValueAfterTheFreshOne() { expectCaught(.staleAfterFresh, as: "updates.order") }
  func testAnEqualFreshValueLeftOut() { expectCaught(.dropsEqual, as: "updates.freshIsLast") }
  func testAnErrorThatHidesTheCachedValue() { expectCaught(.errorHides, as: "updates.errors") }
  func testAnErrorThatIsSwallowed() { expectCaught(.swallowsErrors, as: "updates.errors") }
  func testAnOriginThatIsCalledTwice() { expectCaught(.asksTwice, as: "updates.stored") }
  func testAFreshValueThatIsNotStored() { expectCaught(.storesNothing, as: "updates.stored") }
  func testAValueThatStaysAfterAMissOfTheFetcher() {
    expectCaught(.keepsWhatIsGone, as: "updates.removed")
  }
  func testAFailureThatRemovesAValue() { expectCaught(.failureRemoves, as: "updates.removed") }
  func testACachedValueThatWaitsForTheFreshOne() {
    expectCaught(.waitsForFresh, as: "updates.cachedFirst")
  }
  func testWorkThatContinuesWithoutAReader() { expectCaught(.goesOn, as: "updates.leaving") }
  func testAFreshValueStoredOverAWrite() {
    expectCaught(.overwrites, as: "updates.writes")
  }

  private static func isRemoved(_ fault: Fault, after error: (any Error)?) -> Bool {
    guard let error, fault != .keepsWhatIsGone else { return false }
    return fault == .failureRemoves || error.isMiss
  }

  private static func naive(
    _ fault: Fault, _ cache: Cache<Int, Int>, _ fetcher: Fetcher<Int, Int>
  ) -> CacheUpdates<Int, Int> {
    CacheUpdates { key in
      AsyncThrowingStream { continuation in
        let state = Box((cached: Promise<Int>.Outcome?.none, fresh: Promise<Int>.Outcome?.none))
        let end: @Sendable () -> Void = {
          guard let cached = state.value.cached, let fresh = state.value.fresh else { return }
          if fault == .waitsForFresh, let value = cached.value {
            if fresh.value == nil { continuation.yield(CacheUpdate(value, from: .cached)) }
          }
          if cached.value != nil, isRemoved(fault, after: fresh.error) {
            _ = cache.remove(key)
          }
          let error = cached.error.map { fresh.error ?? $0 } ?? fresh.error
          continuation.finish(
            throwing: fault == .swallowsErrors ? nil : error ?? CancellationError())
        }
        let (get, fetch) = (cache.get(key), fetcher.get(key))
        if fault == .asksTwice { _ = fetcher.get(key) }
        get.observed { outcome in
          state.value.cached = outcome
          if let value = outcome.value, fault != .waitsForFresh {
            continuation.yield(CacheUpdate(value, from: .cached))
          }
          if fault != .staleAfterFresh || state.value.fresh?.value == nil { end() }
          if state.value.fresh?.value != nil { continuation.finish() }
        }
        fetch.observed { outcome in
          state.value.fresh = outcome
          guard let value = outcome.value else {
            return fault == .errorHides ? continuation.finish(throwing: outcome.error) : end()
          }
          if fault != .storesNothing { _ = cache.set(key, value) }
          if fault != .dropsEqual || state.value.cached?.value != value {
            continuation.yield(CacheUpdate(value, from: .fresh))
          }
          if fault != .staleAfterFresh || state.value.cached != nil { continuation.finish() }
        }
        continuation.onTermination = { _ in
          guard fault != .goesOn else { return }
          get.cancel()
          fetch.cancel()
        }
      }
    }
  }
}

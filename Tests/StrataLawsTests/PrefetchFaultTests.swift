import StrataCore
import StrataLaws
import StrataVerbs
import XCTest

/// Checks that the laws catch faults in prefetchers.
final class PrefetchFaultTests: FaultCase {
  private func laws(_ fault: NaivePrefetcher.Fault) -> Laws {
    .prefetch { cache, count in
      let prefetcher = NaivePrefetcher(fault, cache, count)
      return Prefetching(want: prefetcher.want, pause: prefetcher.pause)
    }
  }

  func testANaivePrefetcherIsLawful() throws {
    for law in laws(.none).laws { XCTAssertNil(law.violation()) }
  }

  func testAPrefetcherThatStoresPlaceholders() {
    expectCaught("storesPlaceholders", by: laws(.storesPlaceholders), as: "prefetch.gets")
  }

  func testAPrefetcherThatNeverCancels() {
    expectCaught("neverCancels", by: laws(.neverCancels), as: "prefetch.cancelling")
  }

  func testAPrefetcherThatBeginsAgain() {
    expectCaught("beginsAgain", by: laws(.beginsAgain), as: "prefetch.once", alone: true)
  }

  func testAPrefetcherWithoutALimit() {
    expectCaught("unlimited", by: laws(.unlimited), as: "prefetch.bound", alone: true)
  }

  func testAPrefetcherWhoseCancelledGetsKeepTheirPlaces() {
    expectCaught("keepsPlaces", by: laws(.keepsPlaces), as: "prefetch.progress", alone: true)
  }

  func testAPrefetcherThatDoesNotPause() {
    expectCaught("neverPauses", by: laws(.neverPauses), as: "prefetch.pause", alone: true)
  }
}

/// A simple prefetcher with optional faults, for one thread.
private final class NaivePrefetcher: Sendable {
  enum Fault: Sendable {
    case none, storesPlaceholders, neverCancels, beginsAgain, unlimited, keepsPlaces, neverPauses
  }

  private struct State {
    var wanted: [Int] = []
    var loaded: Set<Int> = []
    var running: [Int: Promise<Int>] = [:]
    var places: Int
    var isPaused = false
  }

  private let fault: Fault
  private let cache: Cache<Int, Int>
  private let state: Box<State>

  init(_ fault: Fault, _ cache: Cache<Int, Int>, _ count: Int) {
    (self.fault, self.cache) = (fault, cache)
    state = Box(State(places: fault == .unlimited ? .max : count))
  }

  @Sendable func want(_ keys: [Int]) {
    let cancelled = state.update { state -> [Promise<Int>] in
      state.wanted = keys
      state.loaded.formIntersection(keys)
      guard fault != .neverCancels else { return [] }
      return state.running.keys.filter { fault == .beginsAgain || !keys.contains($0) }.compactMap {
        if fault != .keepsPlaces { state.places += 1 }
        return state.running.removeValue(forKey: $0)
      }
    }
    for get in cancelled { get.cancel() }
    begin()
  }

  @Sendable func pause(_ isPaused: Bool) {
    state.update { $0.isPaused = isPaused && fault != .neverPauses }
    begin()
  }

  private func begin() {
    let key = state.update { state -> Int? in
      guard !state.isPaused, state.places > 0,
        let key = state.wanted.first(where: {
          state.running[$0] == nil && !state.loaded.contains($0)
        })
      else { return nil }
      state.places -= 1
      state.running[key] = .cancelled
      return key
    }
    guard let key else { return }
    if fault == .storesPlaceholders { _ = cache.set(key, 0) }
    let get = cache.get(key)
    state.update { $0.running[key] = get }
    get.observed { outcome in
      let isWanted = self.state.update { state -> Bool in
        guard state.running.removeValue(forKey: key) != nil else { return false }
        state.places += 1
        if outcome.value != nil { state.loaded.insert(key) }
        return true
      }
      if isWanted { self.begin() }
    }
    begin()
  }
}

import StrataLaws
import XCTest

@testable import Strata

/// Two hundred tasks and an origin that has died, on virtual time.
final class DeadOriginTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let calls = Lock(0)
  private let isDead = Lock(false)

  /// Answers in 20 ms, and fails after 1.1 s once it has died.
  private var origin: Fetcher<Int, Int> {
    let (time, calls, isDead) = (time, calls, isDead)
    return Fetcher<Int, Int> { key -> Promise<Int> in
      calls.withLock { $0 += 1 }
      let isDead = isDead.withLock { $0 }
      let answer = isDead ? Promise<Int>(error: Broken.here) : Promise(key)
      return answer.delayed(by: .milliseconds(isDead ? 1_100 : 20), clock: time)
    }
  }

  /// The durations of the gets of 200 tasks. Each task starts a get every 250 ms, and one get in
  /// ten is cancelled.
  private func load(_ cache: Cache<Int, Int>, seconds: Int) -> [Duration] {
    let times = Lock<[Duration]>([])
    var random = SeededGenerator(stream: seconds)
    for _ in 0..<seconds * 4 {
      var cancelled: [Promise<Int>] = []
      for _ in 0..<200 {
        let start = clock.now
        let get = cache.get(Int.random(in: 0..<50, using: &random))
        get.observed { [clock] outcome in
          let time = start.duration(to: clock.now)
          if outcome.value != nil { times.withLock { $0.append(time) } }
        }
        if random.chance(of: 10) { cancelled.append(get) }
      }
      for get in cancelled { get.cancel() }
      clock.advance(by: .milliseconds(250))
    }
    clock.advance(by: .seconds(2))
    return times.withLock { $0 }
  }

  private func check(_ freshness: Freshness, slow: ClosedRange<Int>) {
    let fetcher = origin.breakingCircuit(after: .failures(5), retryAfter: .seconds(30), clock: time)
    let cache = Cache<Int, Stamped<Int>>.memory(clock: time).refreshing(freshness, from: fetcher)
    for key in 0..<50 { _ = cache.get(key) }
    clock.advance(by: .seconds(2))
    isDead.withLock { $0 = true }
    calls.withLock { $0 = 0 }
    clock.advance(by: .seconds(60))
    // Only the calls in flight when the circuit opens delay a get.
    let opening = load(cache, seconds: 3)
    XCTAssertGreaterThan(opening.count, 1_500)
    XCTAssertLessThanOrEqual(calls.withLock { $0 }, 50)
    calls.withLock { $0 = 0 }
    let open = load(cache, seconds: 60)
    let waited = open.filter { $0 > .zero }
    XCTAssertTrue(slow.contains(waited.count), "\(waited.count) of \(open.count) gets waited.")
    XCTAssertLessThanOrEqual(calls.withLock { $0 }, 3, "One probe for each delay.")
    isDead.withLock { $0 = false }
    clock.advance(by: .seconds(31))
    _ = load(cache, seconds: 2)
    XCTAssertEqual(load(cache, seconds: 2).filter { $0 > .milliseconds(20) }, [])
  }

  func testStaleValuesAreReturnedImmediatelyWhileTheCircuitIsOpen() {
    let day = Duration.seconds(86_400)
    check(Freshness(for: .seconds(60), staleWhileRevalidate: day), slow: 0...0)
    // Without that window, a get waits for its refresh, which fails immediately while the circuit
    // is open. All gets of a key wait for its probe.
    check(Freshness(for: .seconds(60), staleIfError: day), slow: 0...200)
  }
}

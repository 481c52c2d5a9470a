import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests 200 tasks whose shared origin stops working. The clock is virtual.
final class DeadOriginTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()
  private let calls = Lock(0)
  private let isDead = Lock(false)

  /// An origin that answers after 20 ms. If `isDead` is true, each get fails after 1.1 s.
  private var origin: Fetcher<Int, Int> {
    let (time, calls, isDead) = (time, calls, isDead)
    return Fetcher<Int, Int> { key -> Promise<Int> in
      calls.withLock { $0 += 1 }
      let isDead = isDead.withLock { $0 }
      let answer = isDead ? Promise<Int>(error: Broken.here) : Promise(key)
      return answer.delayed(by: .milliseconds(isDead ? 1_100 : 20), clock: time)
    }
  }

  /// Simulates 200 tasks that make gets, and returns the durations of the successful gets. Each
  /// task starts a get every 250 ms, and one in ten gets is cancelled.
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
    // A few calls are still in flight when the circuit opens. A get is slow only if it waits for
    // one of these calls.
    let opening = load(cache, seconds: 3)
    XCTAssertGreaterThan(opening.count, 1_500)
    XCTAssertLessThanOrEqual(calls.withLock { $0 }, 50)
    calls.withLock { $0 = 0 }
    let open = load(cache, seconds: 60)
    let waited = open.filter { $0 > .zero }
    XCTAssertTrue(
      slow.contains(waited.count), "Of \(open.count) gets, \(waited.count) waited, not \(slow).")
    XCTAssertLessThanOrEqual(calls.withLock { $0 }, 3, "Each delay should have one probe.")
    isDead.withLock { $0 = false }
    clock.advance(by: .seconds(31))
    _ = load(cache, seconds: 2)
    XCTAssertEqual(load(cache, seconds: 2).filter { $0 > .milliseconds(20) }, [])
  }

  func testStaleValuesAreReturnedImmediatelyWhileTheCircuitIsOpen() {
    let day = Duration.seconds(86_400)
    check(Freshness(for: .seconds(60), staleWhileRevalidate: day), slow: 0...0)
    // Without `staleWhileRevalidate`, a get waits for its refresh. While the circuit is open, a
    // refresh fails immediately. However, if the circuit breaker is probing a key, a get of this
    // key waits for the probe.
    check(Freshness(for: .seconds(60), staleIfError: day), slow: 0...200)
  }
}

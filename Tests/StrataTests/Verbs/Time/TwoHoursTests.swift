import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests a pipeline for two hours of virtual time. The origin fails, hangs, and recovers.
final class TwoHoursTests: XCTestCase {
  private enum Mode { case up, failing, hanging, gone }
  private struct Down: Error {}

  private final class Origin: Sendable {
    let mode = Lock(Mode.up)
    let asked = Lock(0)
    private let hanging = Lock<[Promise<String>.Continuation]>([])  // Held, so that they hang.
    let time: TimeSource

    init(_ time: TimeSource) { self.time = time }

    /// A fetcher whose value is the current minute.
    var fetcher: Fetcher<String, String> {
      Fetcher { _ in
        self.asked.withLock { $0 += 1 }
        switch self.mode.withLock({ $0 }) {
        case .up: return Promise(self.minute)
        case .failing: return Promise(error: Down())
        case .gone: return Promise(error: CacheError.notFound)
        case .hanging:
          return Promise { continuation in self.hanging.withLock { $0.append(continuation) } }
        }
      }
    }

    private var minute: String {
      let seconds = time.now().sinceEpoch - .seconds(1_000_000_000)
      return "minute \(Int(seconds / .seconds(60)))"
    }
  }

  private let (time, clock) = TimeSource.manual()
  private lazy var origin = Origin(time)
  private lazy var near: Cache<String, Stamped<String>> = .memory(clock: time)
  private lazy var far: Cache<String, Stamped<String>> = .memory(clock: time)
  private lazy var news = (near + far).clocked(by: time).refreshing(
    Freshness(
      for: .seconds(300), staleWhileRevalidate: .seconds(300), staleIfError: .seconds(1800),
      timeout: .seconds(60), waitingAtMost: .seconds(60), pause: .zero),
    from: origin.fetcher)

  /// Advances the clock to the given minute and gets the page. Compares the result and the number
  /// of calls to the origin with the expected values.
  @discardableResult
  private func at(
    _ minute: Int, _ answer: String, asked: Int, line: UInt = #line
  ) -> Promise<String> {
    go(to: minute)
    let get = news.get("page")
    XCTAssertEqual(get.answer, answer, "at minute \(minute)", line: line)
    XCTAssertEqual(origin.asked.withLock { $0 }, asked, "at minute \(minute)", line: line)
    return get
  }

  private func go(to minute: Int) {
    let start = TimeSource.Instant(sinceEpoch: .seconds(1_000_000_000))
    clock.advance(by: clock.now.duration(to: start.advanced(by: .seconds(60 * minute))))
  }

  private func become(_ mode: Mode) { origin.mode.withLock { $0 = mode } }

  func testTwoHoursStepByStep() {
    at(0, "minute 0", asked: 1)
    at(4, "minute 0", asked: 1)
    at(5, "minute 0", asked: 2)  // The get returns the stale value and refreshes it.
    at(5, "minute 5", asked: 2)
    _ = near.clear()
    at(9, "minute 5", asked: 2)  // The value from the far level has its original age.
    at(10, "minute 5", asked: 3)

    become(.failing)
    at(14, "minute 10", asked: 3)
    at(15, "minute 10", asked: 4)  // The value is stale, and its refresh fails.
    at(19, "minute 10", asked: 5)
    at(20, "minute 10", asked: 6)  // The stale value is returned, because the origin fails.
    at(44, "minute 10", asked: 7)
    let down = at(45, Promise<String>(error: Down()).answer, asked: 8)  // Expired.
    XCTAssertTrue(down.outcome?.error is Down)

    become(.up)
    at(46, "minute 46", asked: 9)

    become(.hanging)
    at(51, "minute 46", asked: 10)  // The value is stale, and its refresh hangs for a minute.
    at(51, "minute 46", asked: 10)
    at(52, "minute 46", asked: 11)  // The hung refresh has ended.
    go(to: 56)
    let waiting = at(57, "no answer", asked: 12)  // The get waits for the refresh.
    let other = at(57, "no answer", asked: 12)
    go(to: 58)
    XCTAssertEqual([waiting.answer, other.answer], ["minute 46", "minute 46"])
    let late = at(80, "no answer", asked: 13)
    go(to: 81)  // By now, the value has expired.
    XCTAssertTrue(late.answer.contains("timed out"))

    become(.up)
    at(90, "minute 90", asked: 14)
    _ = news.set("page", "an edition of our own")
    at(94, "an edition of our own", asked: 14)
    become(.hanging)
    at(95, "an edition of our own", asked: 15)
    _ = news.set("page", "another one")  // The `set` wins over an in-flight refresh.
    become(.up)
    at(96, "another one", asked: 15)
    at(100, "another one", asked: 16)
    at(100, "minute 100", asked: 16)

    become(.gone)
    at(105, "minute 100", asked: 17)  // The stale value is returned first.
    at(110, "not found", asked: 18)  // The origin reports a miss.
    become(.up)
    at(111, "minute 111", asked: 19)
    _ = news.remove("page")
    XCTAssertEqual(far.get("page").answer, "not found")
    at(112, "minute 112", asked: 20)
    at(120, "minute 112", asked: 21)
    XCTAssertEqual(clock.waiting, 0)
  }
}

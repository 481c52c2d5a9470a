import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Compares the timer wheel with the simplest model: a dictionary of expiration times.
final class TimerWheelTests: XCTestCase {
  func testEachEntryIsReturnedWhenItHasExpiredAndNotBefore() {
    for seed in 0..<UInt64(Extent.rounds(60, full: 2000)) { run(seed: seed) }
  }

  private func run(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var wheel = TimerWheel()
    defer { wheel.deallocate() }
    var (model, now) = ([UInt32: Int64](), Int64.random(in: 0...1 << 41, using: &random))
    wheel.start(at: now)
    for _ in 0..<300 {
      let number = UInt32.random(in: 0..<200, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let end = now + (1 << Int64.random(in: 0...41, using: &random))
        wheel.schedule(number, at: end)
        model[number] = end
      case 5:
        wheel.unschedule(number)
        model[number] = nil
      default:
        now += Int64.random(in: 0...1 << Int64.random(in: 0...36, using: &random), using: &random)
        let over = Set(model.filter { $0.value <= now }.keys)
        XCTAssertEqual(drain(&wheel, by: now, model), over, "seed \(seed)")
        for number in over { model[number] = nil }
        XCTAssertGreaterThan(wheel.due, now, "seed \(seed)")
      }
    }
    XCTAssertEqual(drain(&wheel, by: .max - 1, model), Set(model.keys), "seed \(seed)")
    XCTAssertEqual(wheel.due, TimerWheel.never)
  }

  private func drain(_ wheel: inout TimerWheel, by now: Int64, _ ends: [UInt32: Int64]) -> Set<
    UInt32
  > {
    var over = Set<UInt32>()
    while let number = wheel.next(by: now) {
      guard let end = ends[number] else {
        XCTFail("\(number) was returned, but isn't in the model")
        continue
      }
      if end <= now { over.insert(number) } else { wheel.schedule(number, at: end) }
    }
    return over
  }

  func testAPartlyEmptiedSlotIsContinued() {
    var wheel = TimerWheel()
    defer { wheel.deallocate() }
    for number in 0..<100 { wheel.schedule(UInt32(number), at: 70) }
    var seen: Set<UInt32> = []
    for number in 0..<10 { seen.insert(wheel.next(by: 5000 + Int64(number)) ?? .max) }
    wheel.schedule(200, at: 5100)
    wheel.schedule(201, at: 1 << 40)
    while let number = wheel.next(by: 5050) {
      if number == 200 { wheel.schedule(200, at: 5100) } else { seen.insert(number) }
    }
    XCTAssertEqual(seen, Set(0..<100))
    XCTAssertEqual(wheel.next(by: 5100), 200)
    XCTAssertNil(wheel.next(by: 5100))
  }

  func testEntriesThatNeverExpireAreNotScheduledAndDistantTimesDoNotTrap() {
    var wheel = TimerWheel()
    defer { wheel.deallocate() }
    wheel.schedule(1, at: TimerWheel.never)
    XCTAssertEqual(wheel.due, TimerWheel.never)
    wheel.schedule(1, at: .max - 1)
    XCTAssertLessThan(wheel.due, TimerWheel.never)
    XCTAssertNil(wheel.next(by: 1 << 41))
    let start = TimeSource.Instant(sinceEpoch: .zero)
    XCTAssertEqual(TimerWheel.tick(after: start.advanced(by: .most)), TimerWheel.never)
    XCTAssertEqual(TimerWheel.tick(after: start.advanced(by: .most * -1)), 0)
    XCTAssertGreaterThan(
      TimerWheel.tick(after: start.advanced(by: .seconds(5))),
      TimerWheel.tick(of: start.advanced(by: .seconds(5))))
  }

  func testTheFirstTickCanExpire() {
    var wheel = TimerWheel()
    defer { wheel.deallocate() }
    wheel.schedule(3, at: 1)
    XCTAssertEqual(wheel.due, 1)
    XCTAssertNil(wheel.next(by: 0))
    XCTAssertEqual(wheel.next(by: 1), 3)
  }

  func testATickIsAboutAMillisecond() {
    for (nanoseconds, tick) in [(0, 0), (1 << 20 - 1, 0), (1 << 20, 1), (5 << 20 + 7, 5)] {
      let instant = TimeSource.Instant(nanoseconds: Int64(nanoseconds))
      XCTAssertEqual(TimerWheel.tick(of: instant), Int64(tick))
      XCTAssertEqual(TimerWheel.tick(after: instant), Int64(tick) + 1)
    }
  }
}

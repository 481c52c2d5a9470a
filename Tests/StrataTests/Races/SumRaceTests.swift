import Dispatch
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that the latest write wins in every race.
final class SumRaceTests: XCTestCase {
  /// In each round, runs two closures at the same time, and then runs a check.
  private func race(
    rounds: Int, _ one: @escaping @Sendable (Int) -> Void, _ two: @escaping @Sendable (Int) -> Void,
    check: (Int) -> Void
  ) {
    let (start, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let turn = Lock(0)
    DispatchQueue.global().async {
      for round in 0..<rounds {
        start.wait()
        one(round)
        turn.withLock { $0 = round + 1 }
        done.signal()
      }
    }
    for round in 0..<rounds {
      start.signal()
      // The closures begin at about the same time. The delay of the second closure grows with each
      // round.
      for _ in 0..<(round % 64) { _ = turn.withLock { $0 } }
      two(round)
      done.wait()
      check(round)
    }
  }

  func testNoBackFillHidesASettledSet() {
    let origin = Lock(0)
    let cache: Cache<Int, Int> =
      .memory() + .memory() + Fetcher(offMainThread: false) { _ in origin.withLock { $0 } }
    var stale: [String] = []
    race(rounds: Extent.rounds(2_000, full: 1_000_000)) { round in
      _ = cache.get(0)
    } _: { round in
      _ = cache.set(0, round)
    } check: { round in
      let answers = [cache.get(0).answer, cache.get(0).answer]
      if answers != ["\(round)", "\(round)"] { stale.append("\(round): \(answers)") }
      // In the next round, a back-fill of this value must not hide the value of the `set`.
      origin.withLock { $0 = -round }
      _ = cache.clear()
    }
    XCTAssertEqual(stale, [])
  }

  func testNoBackFillRestoresARemovedOrClearedValue() {  // T63
    let origin = Lock<Int?>(nil)
    let lower = Fetcher<Int, Int>(offMainThread: false) { _ in
      guard let value = origin.withLock({ $0 }) else { throw CacheError.notFound }
      return value
    }
    let cache: Cache<Int, Int> = .memory() + lower
    var stale: [String] = []
    race(rounds: Extent.rounds(2_000, full: 200_000)) { _ in
      _ = cache.get(0)
    } _: { round in
      origin.withLock { $0 = nil }
      if round.isMultiple(of: 2) { _ = cache.remove(0) } else { _ = cache.clear() }
    } check: { round in
      let answer = cache.get(0).answer
      if answer != "not found" { stale.append("\(round): \(answer)") }
      origin.withLock { $0 = round }
    }
    XCTAssertEqual(stale, [])
  }

  func testOverlappingSetsLeaveAllLevelsInAgreement() {
    var disagreements: [String] = []
    for round in 0..<Extent.rounds(500, full: 100_000) {
      var random = SeededGenerator(seed: LawSeed.value &+ UInt64(round))
      let levels = [SlowStore(seed: random.next()), SlowStore(seed: random.next())]
      let cache = levels[0].cache + levels[1].cache
      let sets = [cache.set(0, 1), cache.set(0, 2)]
      let clears = Int.random(in: 0..<4, using: &random) == 0 ? [cache.clear()] : []
      let get = cache.get(0)
      while levels.randomElement(using: &random)?.land() == true || levels[0].land()
        || levels[1].land()
      {}
      let expected: [Int: Int] = clears.isEmpty ? [0: 2] : [:]
      let answer = clears.isEmpty ? "2" : "not found"
      if levels.map(\.contents) != [expected, expected] || get.answer != answer
        || (sets + clears).contains(where: { $0.answer != "()" })
      {
        disagreements.append("\(round): \(levels.map(\.contents)), \(get.answer)")
      }
    }
    XCTAssertEqual(disagreements, [])
  }

  func testSetsFromTwoThreadsLeaveAllLevelsInAgreement() {
    let levels = (0..<2).map { SlowStore(seed: LawSeed.value &+ $0) }
    let cache = levels[0].cache + levels[1].cache
    let sets = Lock<[Promise<Void>]>([])
    var disagreements: [String] = []
    race(rounds: Extent.rounds(2_000, full: 100_000)) { round in
      let set = cache.set(0, round)
      sets.withLock { $0.append(set) }
      levels[0].land()
    } _: { round in
      let set = cache.set(0, -round)
      sets.withLock { $0.append(set) }
      levels[1].land()
    } check: { round in
      while levels[0].land() || levels[1].land() {}
      if levels[0].contents != levels[1].contents || levels[0].contents[0]?.magnitude != UInt(round)
        || sets.withLock({ $0 }).contains(where: { $0.answer != "()" })
      {
        disagreements.append("\(round): \(levels.map(\.contents))")
      }
      sets.withLock { $0 = [] }
    }
    XCTAssertEqual(disagreements, [])
  }

  func testASetThatMeetsASlowBackFillWins() {
    for round in 0..<Extent.rounds(200, full: 10_000) {
      let upper = SlowStore(seed: UInt64(round))
      let cache = upper.cache + Fetcher(offMainThread: false) { _ in 1 }
      let get = cache.get(0)
      upper.land()
      XCTAssertEqual(get.answer, "1")
      let set = cache.set(0, 2)
      while upper.land() {}
      XCTAssertEqual([set.answer, "\(upper.contents)"], ["()", "[0: 2]"])
    }
  }

  func testWritesOfOtherKeysPreventNoBackFill() {
    let upper = SlowStore(seed: LawSeed.value)
    let lower = SlowStore(seed: LawSeed.value &+ 1)
    let filled = (0..<100).map { lower.cache.set($0, $0) }
    while lower.land() {}
    XCTAssertEqual(Set(filled.map(\.answer)), ["()"])
    let cache = upper.cache + lower.cache
    let gets = (0..<100).map { cache.get($0) }
    for other in 1000..<1200 {
      _ = cache.set(other, other)
      if other.isMultiple(of: 2) { upper.land() } else { lower.land() }
    }
    while upper.land() || lower.land() {}
    XCTAssertEqual(gets.map(\.answer), (0..<100).map { "\($0)" })
    XCTAssertEqual((0..<100).filter { upper.contents[$0] != $0 }, [])
  }

  func testOverlappingGetsOfManyKeysFillTheMemory() async throws {
    for _ in 0..<Extent.rounds(10, full: 1_000) {
      let origin = Fetcher<Int, Int> { key in
        await Task.yield()
        return key
      }
      let memory: Cache<Int, Int> = .memory(capacity: 2_000)
      let cache = memory + origin.limited(toConcurrentGets: 8).pooled()
      _ = try await cache.outcomes(for: 0..<1_000)
      XCTAssertEqual((0..<1_000).filter { memory.get($0).outcome?.value != $0 }, [])
    }
  }
}

import Strata
import XCTest

@testable import StrataLaws

/// Tests the messages about checks that take long or don't end, in virtual time.
final class WatchTests: XCTestCase {
  private let lines = Box<[String]>([])
  private let (time, clock) = TimeSource.manual()

  private var watch: Watch {
    let (lines, time) = (lines, time)
    return Watch(
      now: { time.now().sinceEpoch }, write: { line in lines.update { $0.append(line) } })
  }

  func testACheckSaysWhatItDoesEveryTenSeconds() {
    let watch = watch
    let entry = watch.entry("level.reading", of: 400)
    for second in 1...25 {
      clock.advance(by: .seconds(1))
      entry.begin(case: second)
      entry.begin { [] }
      watch.look()
    }
    XCTAssertEqual(
      lines.value,
      [
        "StrataLaws: level.reading, case 10 of 400, after 10 s",
        "StrataLaws: level.reading, case 20 of 400, after 20 s",
      ])
    watch.end(entry)
    clock.advance(by: .seconds(60))
    watch.look()
    XCTAssertEqual(lines.value.count, 2)
  }

  func testADeadlockedCheckNamesItsProgramOnce() {
    let watch = watch
    let entry = watch.entry("level.order of \"shelf\"", of: 400)
    entry.begin(case: 7)
    entry.begin { ["1. get 0"] }
    for _ in 1...60 {
      watch.look()
      clock.advance(by: .seconds(1))
    }
    let stuck = lines.value.filter { $0.contains("no progress") }
    XCTAssertEqual(stuck.count, 1)
    XCTAssertTrue(stuck[0].contains("level.order of \"shelf\", case 7 of 400"), stuck[0])
    XCTAssertTrue(stuck[0].contains("1. get 0"), stuck[0])
    XCTAssertTrue(stuck[0].contains("gdb -p"), stuck[0])
  }

  func testALongProgramThatProceedsIsNotDeadlocked() {
    let (watch, operations) = (watch, Box(0))
    let entry = watch.entry("level.size", of: 4, progress: { operations.value })
    entry.begin(case: 1)
    entry.begin { ["1. set 1100 keys"] }
    for second in 1...90 {
      clock.advance(by: .seconds(1))
      if second < 60 { operations.update { $0 += 1 } }
      watch.look()
    }
    let stuck = lines.value.indices.filter { lines.value[$0].contains("no progress") }
    XCTAssertEqual(stuck.count, 1)
    XCTAssertEqual(stuck.first, lines.value.indices.last)
    XCTAssertTrue(lines.value.contains("StrataLaws: level.size, case 1 of 4, after 50 s"))
  }

  func testACaseThatHasEndedIsNotDeadlocked() {
    let watch = watch
    let entry = watch.entry("level.size", of: 4, isQuiet: true)
    entry.begin(case: 1)
    entry.begin { [] }
    entry.rest()
    for _ in 1...90 {
      clock.advance(by: .seconds(1))
      watch.look()
    }
    XCTAssertEqual(lines.value, [])
  }
}

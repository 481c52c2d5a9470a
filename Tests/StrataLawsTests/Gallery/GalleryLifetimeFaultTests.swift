import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults in levels whose values have a lifetime.
final class GalleryLifetimeFaultTests: FaultCase {
  /// Returns the laws for a level that should keep values for a minute. The closure `mistake` makes
  /// the faulty level.
  private func lifetime(
    _ mistake:
      @escaping @Sendable (TimeSource, Box<[Int: (Int, TimeSource.Instant)]>) ->
      Draft<Int, Int>
  ) -> Laws {
    .lifetime(.seconds(60)) { time in mistake(time, Box([:])).cache }
  }

  /// Returns a correct level whose values have deadlines.
  private static func draft(
    _ time: TimeSource, _ held: Box<[Int: (Int, TimeSource.Instant)]>, seconds: Int = 60
  ) -> Draft<Int, Int> {
    var draft = Draft<Int, Int>()
    draft.set = { key, value in
      held.update { $0[key] = (value, time.now().advanced(by: .seconds(seconds))) }
    }
    draft.get = { key in
      try found(held.value[key].flatMap { time.now() < $0.1 ? $0.0 : nil })
    }
    draft.remove = { key in held.update { $0[key] = nil } }
    draft.clear = { held.value = [:] }
    return draft
  }

  func testALifetimeThatEveryGetRenews() {
    expectCaught(
      "renewed",
      firstBy: lifetime { time, held in
        var draft = Self.draft(time, held)
        let (get, set) = (draft.get, draft.set)
        draft.get = { key in
          let value = try get(key)
          try set(key, value)
          return value
        }
        return draft
      }, as: "lifetime.ended")
  }
  func testALifetimeThatIsCutShort() {
    expectCaught(
      "cut short", firstBy: lifetime { Self.draft($0, $1, seconds: 55) }, as: "lifetime.kept")
  }
  func testALifetimeThatIsTooLong() {
    expectCaught(
      "too long", firstBy: lifetime { Self.draft($0, $1, seconds: 66) }, as: "lifetime.ended")
  }
  func testAReplacementThatKeepsTheOldDeadline() {
    expectCaught(
      "old deadline",
      firstBy: lifetime { time, held in
        var draft = Self.draft(time, held)
        draft.set = { key, value in
          let end = time.now().advanced(by: .seconds(60))
          held.update { $0[key] = (value, $0[key]?.1 ?? end) }
        }
        return draft
      }, as: "lifetime.kept")
  }
  func testALifetimeOnTheWallClockThatEveryGetRenews() {
    expectCaught(
      "renewed by the wall clock",
      firstBy: .lifetime(.milliseconds(100), tolerance: .milliseconds(10)) { _ in
        let (time, held) = (TimeSource.system, Box<[Int: (Int, TimeSource.Instant)]>([:]))
        var draft = Draft<Int, Int>()
        draft.set = { key, value in
          held.update { $0[key] = (value, time.now().advanced(by: .milliseconds(100))) }
        }
        draft.remove = { key in held.update { $0[key] = nil } }
        draft.clear = { held.value = [:] }
        let set = draft.set
        draft.get = { key in
          let value = try found(held.value[key].flatMap { time.now() < $0.1 ? $0.0 : nil })
          try set(key, value)
          return value
        }
        return draft.cache
      }, as: "lifetime.ended", within: 11, atOnce: 10)
  }

  func testADeadlineThatOutlivesARemove() {
    expectCaught(
      "reused deadline",
      by: lifetime { time, held in
        var draft = Self.draft(time, held)
        let ends = Box<[Int: TimeSource.Instant]>([:])
        draft.set = { key, value in
          let end = time.now().advanced(by: .seconds(60))
          held.update { held in
            let last = held[key] == nil ? ends.value[key] ?? end : end
            held[key] = (value, last)
            ends.update { $0[key] = last }
          }
        }
        return draft
      }, as: "lifetime.kept", within: 8)
  }
  func testADeadlineInWholeSeconds() {
    expectCaught(
      "whole seconds",
      by: lifetime { time, held in
        var draft = Self.draft(time, held)
        draft.set = { key, value in
          let end = time.now().advanced(by: .seconds(60)).sinceEpoch.components.seconds
          held.update { $0[key] = (value, .init(sinceEpoch: .seconds(end))) }
        }
        return draft
      }, as: "lifetime.kept")
  }
  func testALifetimeOfZeroIsExplained() {
    expectCaught(
      "zero", by: .lifetime(.zero) { _ in Cache<Int, Int>.dictionary() }, as: "lifetime.kept",
      within: 13)
  }
  func testTheDocumentedExampleIsLawful() throws {
    try Laws.check(
      .lifetime(.seconds(60)) { time in
        Cache<String, Stamped<Int>>.memory(clock: time).expiring(after: .seconds(60))
      })
  }
}

import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults in levels that are reopened, and faults in levels whose values
/// have a lifetime.
final class GalleryReopeningFaultTests: FaultCase {
  /// Returns the level laws for a level that keeps its store when it is reopened under the same
  /// name.
  private func reopening(
    _ level: @escaping @Sendable (Box<[Int: Int]>) -> Cache<Int, Int>
  ) -> Laws {
    let stores = Box<[String: Box<[Int: Int]>]>([:])
    return .level(
      reopening: { place in
        level(
          stores.update { stores in
            let store = stores[place] ?? Box([:])
            stores = [place: store]
            return store
          })
      })
  }

  /// Returns a level that copies the store's contents once and then reads only the copy. The
  /// closure `write` determines how a write changes the store.
  private static func copy(
    of store: Box<[Int: Int]>, _ write: @escaping @Sendable (Int, Int?) -> Void
  ) -> Cache<Int, Int> {
    var draft = Draft<Int, Int>()
    let held = draft.held
    held.value = store.value
    draft.set = { key, value in
      held.update { $0[key] = value }
      write(key, value)
    }
    draft.remove = { key in
      held.update { $0[key] = nil }
      write(key, nil)
    }
    draft.clear = {
      held.value = [:]
      store.value = [:]
    }
    return draft.cache
  }

  func testValuesInMemoryOnly() {
    expectCaught(
      "memory", by: reopening { Self.copy(of: $0) { _, _ in } }, as: "level.reopening")
  }
  func testRemovedValuesThatReturn() {
    expectCaught(
      "no tombstones",
      by: reopening { store in
        Self.copy(of: store) { key, value in if let value { store.update { $0[key] = value } } }
      }, as: "level.reopening")
  }
  func testALastWriteThatIsNotFlushed() {
    expectCaught(
      "no flush",
      by: reopening { store in
        let last = Box<(Int, Int?)?>(nil)
        return Self.copy(of: store) { key, value in
          if let (key, value) = last.value { store.update { $0[key] = value } }
          last.value = (key, value)
        }
      }, as: "level.reopening")
  }
  func testAReplacementThatIsNotWritten() {
    expectCaught(
      "appends only",
      by: reopening { store in
        Self.copy(of: store) { key, value in
          store.update { $0[key] = value == nil ? nil : $0[key] ?? value }
        }
      }, as: "level.reopening")
  }

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
        let set = draft.set
        draft.get = { key in
          let value = try found(held.value[key].flatMap { time.now() < $0.1 ? $0.0 : nil })
          try set(key, value)
          return value
        }
        return draft.cache
      }, as: "lifetime.ended", within: 11)
  }
}

import Foundation
import Strata
import StrataLaws
import XCTest

/// Wrong levels that answer too early, or lose writes between threads.
final class GalleryRaceFaultTests: FaultCase {
  /// A machine with other work hides races, so these tests run only on request.
  override func setUpWithError() throws {
    try skipUnlessLong("Races depend on the machine. Set STRATA_LONG=1 on one without other work.")
  }

  func testAWriteBehind() {
    expectCaught(
      "a set that only starts a task",
      by: .wrong { draft, held in
        draft.set = { key, value in Task { held.update { $0[key] = value } } }
      }, as: "level.visibility")
  }
  func testAnAsyncWriteBehind() {
    expectCaught(
      "an async set that only starts a task",
      by: .level {
        let held = Box<[Int: Int]>([:])
        return Cache<Int, Int>(
          get: { key async throws in try found(held.value[key]) },
          set: { key, value async throws in
            Task { held.update { $0[key] = value } }
          },
          remove: { key async throws in held.update { $0[key] = nil } },
          clear: { () async throws in held.value = [:] })
      }, as: "level.visibility")
  }
  func testARemoveThatTakesEffectLater() {
    expectCaught(
      "a remove that only starts a task",
      by: .wrong { draft, held in
        draft.remove = { key in Task { held.update { $0[key] = nil } } }
      }, as: "level.visibility")
  }
  func testAWriteThatLandsAMillisecondLate() {
    expectCaught(
      "a queue with a delay",
      by: .wrong { draft, held in
        draft.set = { key, value in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
            held.update { $0[key] = value }
          }
        }
      }, as: "level.visibility")
  }
  func testAnUnlockedReadModifyWrite() {
    expectCaught(
      "a read-modify-write without a lock", by: .unlockedUpdate, as: "level.isolation",
      within: 48)
  }
  func testAnActorThatIsEnteredAgain() {
    expectCaught(
      "a read-modify-write across an await",
      by: .level {
        let held = Box<[Int: Int]>([:])
        return Cache<Int, Int>(
          get: { key async throws in try found(held.value[key]) },
          set: { key, value async throws in
            var copy = held.value
            await Task.yield()
            copy[key] = value
            held.value = copy
          },
          remove: { key async throws in held.update { $0[key] = nil } },
          clear: { () async throws in held.value = [:] })
      }, as: "level.isolation", within: 48)
  }
  func testASetOfTwoSteps() {
    expectCaught(
      "a set that removes before it stores",
      by: .wrong { draft, held in
        draft.set = { key, value in
          held.update { $0[key] = nil }
          gap()
          held.update { $0[key] = value }
        }
      }, as: "level.linearizability", within: 12)
  }
  func testAClearKeyByKey() {
    expectCaught(
      "a clear of one key after another",
      by: .wrong { draft, held in
        draft.clear = {
          for key in held.value.keys.sorted() {
            held.update { $0[key] = nil }
            gap()
          }
        }
      }, as: "level.clearing", within: 12)
  }
  func testAClearOfAListMadeBefore() {
    expectCaught(
      "a clear that puts back what is newer",
      by: .wrong { draft, held in
        draft.clear = {
          let before = held.value
          gap()
          held.update { held in held = held.filter { before[$0.key] == nil } }
        }
      }, as: "level.clearing", within: 12)
  }
  func testSetsInNoOrder() {
    expectCaught(
      "tasks in no order",
      by: .level {
        let held = Box<[Int: Int]>([:])
        return Cache<Int, Int>(
          get: { key in Promise { try found(held.value[key]) } },
          set: { key, value in
            Promise {
              for _ in 0..<key & 3 { await Task.yield() }
              held.update { $0[key] = value }
            }
          },
          remove: { key in Promise(held.update { $0[key] = nil }) },
          clear: { Promise(held.value = [:]) })
      }, as: "level.order")
  }
  func testAGetThatNeverAnswers() {
    expectCaught(
      "no answer",
      by: .impatientLevel {
        Cache<Int, Int>(get: { _ in Promise { _ in } })
      }, as: "level.absence")
  }
  func testACacheInFrontThatIsFilledTooLate() {
    expectCaught(
      "a fill that overtakes a set",
      by: .wrong { draft, held in
        let front = Box<[Int: Int]>([:])
        draft.get = { key in
          if let value = front.value[key] { return value }
          let value = try found(held.value[key])
          gap()
          front.update { $0[key] = value }
          return value
        }
        draft.set = { key, value in
          held.update { $0[key] = value }
          front.update { $0[key] = nil }
        }
        draft.remove = { key in
          held.update { $0[key] = nil }
          front.update { $0[key] = nil }
        }
        draft.clear = {
          held.value = [:]
          front.value = [:]
        }
      }, as: "level.linearizability", within: 12)
  }
}

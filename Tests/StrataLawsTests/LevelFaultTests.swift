import Foundation
import Strata
import StrataLaws
import XCTest

/// Checks that the laws catch faults that can occur in implementations of stores.
final class LevelFaultTests: FaultCase {
  private func expectCaught(
    _ fault: BrokenStore.Fault, as names: String..., alone: Bool = false, within most: Int = 6,
    line: UInt = #line
  ) {
    expectCaught(
      "\(fault)",
      by: .level(keeps: .upTo(3), isPersistent: true) { BrokenStore(fault).cache }, as: names,
      alone: alone, within: most, line: line)
  }

  func testARemovalThatDoesNothing() {
    expectCaught(.removesNothing, as: "level.removing")
  }
  func testARemovalOfTheWrongKey() {
    expectCaught(.removesElsewhere, as: "level.removing")
  }
  func testKeysThatCollideWithoutTheirPunctuation() {
    expectCaught(.collides, as: "level.keys")
  }
  func testKeysThatDifferOnlyInCase() {
    expectCaught(.ignoresCase, as: "level.keys")
  }
  func testOneNameForEveryKey() {
    expectCaught(.oneName, as: "level.reading", "level.keys")
  }
  func testOneKeyInTwoSpellings() {
    expectCaught(.spellsApart, as: "level.keys")
  }
  func testAClearThatLeavesSomething() {
    expectCaught(.clearLeaves, as: "level.removing")
  }
  func testARemoveOfAnAbsentKeyThatFails() {
    expectCaught(.removeOfAbsentFails, as: "level.absence")
  }
  func testAMissThatIsAFailure() {
    expectCaught(.missIsFailure, as: "level.absence")
  }
  func testMoreThanTheCapacity() {
    expectCaught(.overCapacity, as: "level.capacity", "level.isolation")
  }
  func testAWarningThatLosesPersistentValues() {
    expectCaught(.losesOnWarning, as: "level.keeping", "level.persistence")
  }
  func testASetThatDoesNotReplace() {
    expectCaught(.keepsTheOldest, as: "level.reading")
  }
  func testAValueOfAnotherKey() {
    expectCaught(.swapsValues, as: "level.keys")
  }
  func testASetThatTakesEffectTooLate() {
    expectCaught(.hidesUntilRead, as: "level.reading")
  }
  func testAWriteThatReadsBeforeItLocks() {
    expectCaught(.copiesOutside, as: "level.linearizability", within: 9)
  }
  func testAPromiseThatIsSettledUnderTheLockOfItsLevel() {
    let laws = Laws.impatientLevel {
      let (lock, held) = (NSLock(), Box<[Int: Int]>([:]))
      let draft = Draft<Int, Int>(holding: held)
      return Cache<Int, Int>(
        get: { key in
          Promise { continuation in
            lock.withLock {
              Thread {
                lock.withLock {
                  if let value = held.value[key] {
                    continuation.succeed(value)
                  } else {
                    continuation.fail(CacheError.notFound)
                  }
                }
              }.start()
            }
          }
        }, set: { key, value in Promise(held.update { $0[key] = value }) },
        remove: { key in Promise(held.update { $0[key] = nil }) },
        clear: { Promise(held.value = [:]) }, memoryWarning: draft.warn)
    }
    guard let law = laws.laws.first(where: { $0.name == "level.listeners" }) else {
      return XCTFail("There is no law of listeners.")
    }
    expectCaught(
      "settles under its lock", by: Laws("one", [law]), as: "level.listeners", alone: true)
  }
  func testABulkGetWhoseValuesAreInTheWrongOrder() {
    let laws = Laws.level {
      let level = Cache<String, Int>.dictionary()
      return level.gettingMany(
        BulkGet { keys in [Promise(keys.reversed().compactMap { level.get($0).outcome })] })
    }
    expectCaught("swapsBulkValues", by: laws, as: "level.many", alone: true)
  }
  func testABulkGetThatOvertakesWrites() {
    let laws = Laws.level {
      let store = Cache<String, Int>.dictionary()
      let slow = Cache<String, Int>(
        get: { try await store.value(for: $0) },
        set: { key, value in
          await Task.yield()
          try await store.set(value, for: key)
        }, remove: { try await store.removeValue(for: $0) },
        clear: { try await store.removeAll() })
      return slow.gettingMany(
        BulkGet { keys in [Promise(keys.compactMap { store.get($0).outcome })] })
    }
    expectCaught("bulkGetsOvertakeWrites", by: laws, as: "level.many", alone: true)
  }
  func testALostWriteInALevelWithAWeakContract() {
    expectCaught(
      "copiesOutside",
      by: .level(consistency: .regular) { BrokenStore(.copiesOutside).cache },
      as: "level.regularity", within: 9)
  }
}

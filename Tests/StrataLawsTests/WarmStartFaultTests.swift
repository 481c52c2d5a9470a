import Foundation
import StrataCore
import StrataLaws
import StrataVerbs

/// Checks that the laws catch loads that bring back old values or forget their ages.
final class WarmStartFaultTests: FaultCase {
  private typealias Storage = MemoryStorage<Int, Stamped<Int>>

  /// Returns laws of a load that reads all values into another storage, and copies each.
  private func laws(
    _ copy: @escaping @Sendable (_ key: Int, _ value: Stamped<Int>, _ target: Storage) -> Void
  ) -> Laws {
    .warmStarts { storage, cache in
      let read = Storage(capacity: 100, clock: storage.clock)
      try await read.load(from: cache, keys: .json(), values: .stamped(.json()))
      for key in read.keys { if let value = read.peek(key) { copy(key, value, storage) } }
    }
  }

  func testALoadThatReplacesNewerValues() {
    expectCaught(
      "replacing", by: laws { key, value, target in _ = Cache.memory(target).set(key, value) },
      as: "warm.writes")
  }

  func testALoadThatBringsBackWhatWasRemoved() {
    expectCaught(
      "filling", by: laws { key, value, target in target.setIfAbsent(value, for: key) },
      as: "warm.writes")
  }

  func testALoadThatMakesOldValuesYoung() {
    expectCaught(
      "young",
      by: laws { key, value, target in
        target.setIfAbsent(
          Stamped(value.value, storedAt: value.storedAt.advanced(by: .seconds(5))), for: key)
      }, as: "warm.ages")
  }

  func testALoadThatConfusesValues() {
    expectCaught(
      "confusing",
      by: laws { key, value, target in
        target.setIfAbsent(Stamped(value.value + 50, storedAt: value.storedAt), for: key)
      }, as: "warm.values")
  }
}

import StrataCore
import StrataLaws

/// Checks that the laws catch wrong handles of a memory level.
final class StorageFaultTests: FaultCase {
  private func laws(
    _ change: @escaping @Sendable (inout StorageFunctions, StorageFunctions) -> Void
  ) -> Laws {
    .storage {
      let right = StorageFunctions(MemoryStorage(capacity: 4))
      var wrong = right
      change(&wrong, right)
      return wrong
    }
  }

  func testAShrinkThatEvictsOnlyWithTheNextSet() {
    expectCaught(
      "lazyShrink",
      by: laws { wrong, right in wrong.setCapacity = { right.setCapacity(max(4, $0)) } },
      as: "storage.capacity")
  }

  func testAGrowthThatClears() {
    expectCaught(
      "clearingGrowth",
      by: laws { wrong, right in
        wrong.setCapacity = { capacity in
          right.setCapacity(0)
          right.setCapacity(capacity)
        }
      }, as: "storage.capacity")
  }

  func testAListWithoutTheLastKey() {
    expectCaught(
      "shortList", by: laws { wrong, right in wrong.keys = { Array(right.keys().dropLast()) } },
      as: "storage.keys")
  }

  func testAnUpdateThatReadsAndThenWrites() {
    expectCaught(
      "readThenWrite",
      by: laws { wrong, right in
        wrong.update = { key, change in
          let new = change(right.get(key))
          if let new { right.set(key, new) }
          return new
        }
      }, as: "storage.update")
  }

  func testASetIfAbsentThatReplaces() {
    expectCaught(
      "replacing",
      by: laws { wrong, right in
        wrong.setIfAbsent = { key, value in
          let old = right.get(key)
          right.set(key, value)
          return old
        }
      }, as: "storage.update")
  }
}

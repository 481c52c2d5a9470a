import StrataCore
import StrataLaws

/// Checks that the laws catch pipelines that can't be drained or closed.
final class ClosingFaultTests: FaultCase {
  func testACopyThatLosesTheWorkOfItsLevels() {
    expectCaught(
      "copy",
      by: .closing { memory, store, origin in
        let cache = memory + store + origin
        return Cache(
          as: .memory, keepsOrder: true, get: cache.get, set: cache.set, remove: cache.remove)
      }, as: ["drain.settled", "close.loads", "close.twice"])
  }

  func testABackFillThatNobodyCounts() {
    expectCaught(
      "uncountedFill",
      by: .closing { memory, store, origin in
        let below = store.operations
        let fills = Cache<Int, Int>(
          as: .memory, keepsOrder: true, get: below.get,
          set: { key, value in
            _ = below.set(key, value)
            return Promise()
          }, remove: below.remove)
        return memory + fills + origin
      }, as: "drain.settled")
  }

  func testALoadThatIsRefusedOnlyAbove() {
    expectCaught(
      "openOrigin",
      by: .closing { memory, store, origin in
        memory + store
          + Cache(as: .memory, keepsOrder: true, get: origin.get, set: { _, _ in Promise() })
      }, as: "close.loads")
  }

  func testAMemoryLevelThatIsClosed() {
    expectCaught(
      "closedMemory",
      by: .closing { memory, store, origin in
        Cache(as: .storage, keepsOrder: true, get: memory.get, set: memory.set) + store + origin
      }, as: "close.memory")
  }
}

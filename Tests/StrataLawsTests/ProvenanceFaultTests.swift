import StrataCore
import StrataLaws

/// Checks that the laws catch pipelines whose provenance is wrong.
final class ProvenanceFaultTests: FaultCase {
  func testAVerbWhoseCopiesShareNoState() {
    expectCaught(
      "ownState",
      by: .provenance { memory, store, origin in
        (memory + store + origin).transforming("counted") { operations in
          let gets = Lock(0)
          var result = operations
          result.get = { key in
            let number = gets.withLock { gets in
              gets += 1
              return gets
            }
            return operations.get(key).map { $0 + number * 1_000 }
          }
          return result
        }
      }, as: "provenance.value")
  }

  func testACopyThatHidesItsLevels() {
    expectCaught(
      "hidden",
      by: .provenance { memory, store, origin in
        let below = store + origin
        return memory
          + Cache(
            as: .storage, keepsOrder: true, get: below.get, set: below.set, remove: below.remove)
      }, as: ["provenance.level", "provenance.loads"])
  }

  func testAVerbThatSharesLoadsInSecret() {
    expectCaught(
      "secretPool",
      by: .provenance { memory, store, origin in
        let loads = Lock([Int: Promise<Int>]())
        return memory + store
          + origin.transformingGet("shared") { get in
            { key in
              if let load = loads.withLock({ $0[key] }) { return load.map { $0 } }
              let load = get(key)
              loads.withLock { $0[key] = load }
              load.onCompletion { _ in loads.withLock { $0[key] = nil } }
              return load
            }
          }
      }, as: "provenance.loads")
  }
}

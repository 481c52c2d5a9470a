import StrataCore
import StrataLaws
import StrataVerbs

/// Checks that the laws catch faults in read modes.
final class ReadingFaultTests: FaultCase {
  private let modes = ReadModes()

  func testStoredThatCallsTheOrigin() {
    expectCaught(
      "callsOrigin", by: .reading(modes.stored { $0 }), as: ["reading.stored", "reading.both"])
  }

  func testStoredThatKnowsOnlySums() {
    expectCaught(
      "sumsOnly", by: .reading(modes.stored { $0.plan.form == .sum ? $0.stored : $0 }),
      as: ["reading.sums", "reading.keys", "reading.values"])
  }

  func testTwoTimesStored() {
    expectCaught(
      "twice",
      by: .reading(
        modes.stored { cache in
          guard cache.plan.kind == "stored" else { return cache.stored }
          return cache.transformingGet("twice") { _ in { _ in Promise(error: CacheError.notFound) }
          }
        }), as: "reading.idempotence", alone: true)
  }

  func testAReloadThatJoins() {
    expectCaught(
      "joins", by: .reading(modes.reloading { $0 }), as: ["reading.reloading", "reading.loads"])
  }

  func testAReloadThatStoresNothing() {
    expectCaught(
      "storesNothing",
      by: .reading(
        modes.reloading { cache in
          cache.reloading.transformingGet("storesNothing") { get in
            { key in get(key).flatMap { value in cache.remove(key).map { value } } }
          }
        }), as: "reading.backFill")
  }

  func testAReloadWithoutAFallback() {
    expectCaught(
      "noFallback", by: .reading(modes.reloadingOrStored { $0.reloading }), as: "reading.fallback",
      alone: true)
  }

  func testAFallbackForMisses() {
    expectCaught(
      "missesToo",
      by: .reading(
        modes.reloadingOrStored { cache in
          cache.reloading.transformingGet("missesToo") { get in
            { key in
              get(key).flatMapOutcome {
                $0.value == nil ? cache.stored.get(key) : Promise(outcome: $0)
              }
            }
          }
        }), as: "reading.fallback", alone: true)
  }

  func testAPeekThatCounts() {
    expectCaught(
      "counts", by: .reading(modes.peeking { $0.stored }), as: "reading.peek", alone: true)
  }

  func testAPeekThatLoads() {
    expectCaught("loads", by: .reading(modes.peeking { $0 }), as: "reading.peek", alone: true)
  }

  func testAnExpiryThatRemoves() {
    expectCaught(
      "removes",
      by: .reading(modes.expire { cache, key in key.map(cache.remove) ?? cache.clear() }),
      as: "reading.expiry", alone: true)
  }

  func testAnExpiryOfNothing() {
    expectCaught(
      "nothing", by: .reading(modes.expire { _, _ in Promise() }), as: "reading.expiry", alone: true
    )
  }
}

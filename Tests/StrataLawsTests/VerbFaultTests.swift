import Strata
import StrataLaws

/// What pools, maps and other verbs elsewhere break.
final class VerbFaultTests: FaultCase {
  private func expectCaught(
    _ fault: NaivePool.Fault, as names: [String], line: UInt = #line
  ) {
    let all = Laws.pool { NaivePool(fault)($0) }.laws
    let laws = Laws("pool", all.filter { names.contains($0.name) })
    expectCaught("\(fault)", by: laws, line: line)
  }

  func testAPoolThatSharesNothing() { expectCaught(.unshared, as: ["pool.oneLoad"]) }
  func testAFirstWaiterWhoseCancellationTakesAllWithIt() {
    expectCaught(.firstWaiterOwns, as: ["pool.waiters"])
  }
  func testAPoolPoisonedByAFailure() { expectCaught(.remembersFailures, as: ["pool.waiters"]) }
  func testAnEntryRemovedByKeyAndNotByIdentity() {
    expectCaught(.removesByKey, as: ["pool.oneLoad"])
  }
  func testALoadThatOutlivesAWrite() { expectCaught(.ignoresWrites, as: ["pool.detaching"]) }
  func testALoadThatNobodyWaitsFor() { expectCaught(.keepsLoads, as: ["pool.lastWaiter"]) }
  func testSetsThatAreMerged() { expectCaught(.mergesSets, as: ["pool.writes"]) }

  func testAVerbThatForgetsToForwardARemove() {
    expectCaught(
      "forgetsRemove",
      by: .transparent("broken") { level in
        Cache(
          get: level.get, set: level.set, clear: level.clear, memoryWarning: level.memoryWarning)
      })
  }

  func testAVerbThatLosesCancellation() {
    expectCaught(
      "losesCancellation",
      by: .transparent("broken") { level in
        Cache(
          get: { key in
            Promise { continuation in level.get(key).observed { continuation.settle($0) } }
          }, set: level.set, remove: level.remove, clear: level.clear,
          memoryWarning: level.memoryWarning)
      })
  }

  func testAKeyMapThatRemovesUnderTheUnmappedKey() {
    expectCaught(
      "removesUnmapped",
      by: .keys { transform, cache in
        let mapped = transform <^> cache
        return Cache(
          get: mapped.get, set: mapped.set, remove: cache.remove, clear: cache.clear,
          memoryWarning: cache.memoryWarning)
      })
  }

  func testAValueMapThatStoresWhatItDoesNotEncode() {
    expectCaught(
      "storesUndecoded",
      by: .values { cache, codec in
        let mapped = cache <*> codec
        return Cache(
          get: mapped.get, set: cache.set, remove: cache.remove, clear: cache.clear,
          memoryWarning: cache.memoryWarning)
      })
  }

  func testACodecThatForgets() {
    let rounding = Codec<Int, Int>(decode: { $0 * 2 }, encode: { $0 / 2 })
    expectCaught("rounds", by: .codec("rounding", rounding) { Int.random(in: 0...9, using: &$0) })
  }

  func testCodecsThatAreUndoneInTheOrderTheyWereDone() {
    expectCaught(
      "encodesInOrder",
      by: .codecs { first, second in
        Codec(
          decode: { first.decode($0).flatMap(second.decode) },
          encode: { first.encode($0).flatMap(second.encode) })
      })
  }
}

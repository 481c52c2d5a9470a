import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of key maps.
final class KeyFaultTests: FaultCase {
  func testAKeyMapThatLosesCancellation() {
    expectCaught(
      "losesCancellation", by: .keys { transform, cache in (transform <^> cache).uncancelled },
      as: "keys.identity")
  }

  func testAMissingKeyMap() {
    expectCaught("ignored", by: .keys { _, cache in cache }, as: "keys.definition", alone: true)
  }

  func testAKeyMapThatMapsTwice() {
    expectCaught(
      "mapsTwice", by: .keys { transform, cache in { try transform(transform($0)) } <^> cache },
      as: "keys.composition")
  }

  func testAKeyMapThatRemovesUnderTheUnmappedKey() {
    expectCaught(
      "removesUnmapped",
      by: .keys { transform, cache in
        let mapped = transform <^> cache
        return Cache(
          keepsOrder: true, get: mapped.get, set: mapped.set, remove: cache.remove,
          clear: cache.clear,
          memoryWarning: cache.memoryWarning)
      }, as: "keys.distribution")
  }

  func testAKeyWithoutAnImageThatIsReadUnderASpareKey() {
    // If `transform` fails for a key, the faulty get reads key 0 instead. If a sum is wrapped as
    // a whole, it back-fills the value of key 0 under key 0. If each level is wrapped separately,
    // the back-fill fails, because `transform` fails for the requested key.
    expectCaught(
      "spareKey",
      by: .keys { transform, cache in
        let (mapped, get) = (transform <^> cache, cache.get)
        return mapped.asked { key in
          (try? transform(key)) == nil ? get(0) : mapped.get(key)
        }
      }, as: "keys.partialDistribution")
  }

  func testAKeyMapThatDependsOnValues() {
    expectCaught(
      "dropsNegative",
      by: .keys { transform, cache in
        let mapped = transform <^> cache
        return Cache(
          keepsOrder: true, get: mapped.get,
          set: { key, value in value < 0 ? Promise() : mapped.set(key, value) },
          remove: mapped.remove, clear: mapped.clear, memoryWarning: mapped.memoryWarning)
      }, as: "keys.exchange", alone: true)
  }
}

extension Cache {
  /// A copy of this cache in which a get ignores its cancellation.
  var uncancelled: Cache {
    let get = get
    return asked { key in
      Promise { continuation in get(key).observed { continuation.settle($0) } }
    }
  }
}

import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of value maps.
final class ValueMapFaultTests: FaultCase {
  func testAValueMapThatLosesCancellation() {
    expectCaught(
      "losesCancellation", by: .values { cache, codec in (cache <*> codec).uncancelled },
      as: "values.identity")
  }

  func testAMissingValueMap() {
    expectCaught("ignored", by: .values { cache, _ in cache }, as: "values.definition", alone: true)
  }

  func testAValueMapThatStoresUnencodableValues() {
    expectCaught(
      "storesUndecoded",
      by: .values { cache, codec in
        let mapped = cache <*> codec
        return Cache(
          keepsOrder: true, get: mapped.get, set: cache.set, remove: cache.remove,
          clear: cache.clear,
          memoryWarning: cache.memoryWarning)
      }, as: ["values.distribution", "values.definition"])
  }

  func testAnUndecodableValueThatIsReturnedUnchanged() {
    expectCaught(
      "answersRaw",
      by: .values { cache, codec in
        cache
          <*> Codec(
            decode: { stored in codec.decode(stored).recover { _ in Promise(stored) } },
            encode: codec.encode)
      }, as: "values.composition")
  }

  func testAValueMapThatDependsOnKeys() {
    expectCaught(
      "dropsLateKeys",
      by: .values { cache, codec in
        let mapped = cache <*> codec
        return Cache(
          keepsOrder: true, get: mapped.get,
          set: { key, value in key > 2 ? Promise() : mapped.set(key, value) },
          remove: mapped.remove, clear: mapped.clear, memoryWarning: mapped.memoryWarning)
      }, as: "values.exchange", alone: true)
  }

  func testAValueMapThatEncodesUnwrittenValues() {
    expectCaught(
      "encodesAlways",
      by: .values { cache, codec in
        let (get, set) = (cache.get, cache.set)
        return Cache(
          keepsOrder: true, get: { key in get(key).flatMap(codec.decode) },
          set: { key, value in codec.encode(value).flatMap { set(key, $0) } },
          remove: cache.remove, clear: cache.clear, memoryWarning: cache.memoryWarning)
      }, as: "values.fetchers", alone: true)
  }

  func testAKeyedMapThatLosesCancellation() {
    expectCaught(
      "losesCancellation",
      by: .keyedValues { $0.mapValues(decode: $1, encode: $2).uncancelled },
      as: "keyedValues.identity")
  }

  func testAKeyedMapThatDropsLargeNegativeNumbers() {
    expectCaught(
      "dropsFarBelowZero",
      by: .keyedValues { cache, decode, encode in
        let mapped = cache.mapValues(decode: decode, encode: encode)
        return Cache(
          keepsOrder: true, get: mapped.get,
          set: { key, value in
            ((try? encode(key, value)) ?? 0) < -5 ? Promise() : mapped.set(key, value)
          }, remove: mapped.remove, clear: mapped.clear, memoryWarning: mapped.memoryWarning)
      }, as: "keyedValues.codec", alone: true)
  }

  func testAKeyedMapThatEncodesUnwrittenValues() {
    expectCaught(
      "encodesAlways",
      by: .keyedValues { cache, decode, encode in
        let (get, set) = (cache.get, cache.set)
        return Cache(
          keepsOrder: true, get: { key in get(key).map { try decode(key, $0) } },
          set: { key, value in
            do { return set(key, try encode(key, value)) } catch { return Promise(error: error) }
          }, remove: cache.remove, clear: cache.clear, memoryWarning: cache.memoryWarning)
      }, as: "keyedValues.fetchers", alone: true)
  }
}

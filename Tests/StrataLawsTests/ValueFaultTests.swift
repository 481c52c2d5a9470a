import Strata
import StrataLaws

/// Checks that the laws catch faults in verbs that change values.
final class ValueFaultTests: FaultCase {
  func testAPostProcessingThatIsStored() {
    expectCaught(
      "storesProcessed",
      by: .postProcessing { cache, transform in
        let (get, set) = (cache.get, cache.set)
        return cache.asked { key in
          get(key).map { value in
            let processed = try transform(key, value)
            _ = set(key, processed)
            return processed
          }
        }
      }, as: ["postProcessing.identity", "postProcessing.composition"])
  }

  func testAPostProcessingOfSets() {
    expectCaught(
      "processesSets",
      by: .postProcessing { cache, transform in
        let inner = cache.postProcessed(transform)
        return Cache(
          keepsOrder: true, get: inner.get,
          set: { key, value in
            do { return cache.set(key, try transform(key, value)) } catch {
              return Promise(error: error)
            }
          }, remove: cache.remove, clear: cache.clear, memoryWarning: cache.memoryWarning)
      }, as: "postProcessing.definition")
  }

  func testAPostProcessingThatIgnoresItsFailure() {
    expectCaught(
      "ignoresFailure",
      by: .postProcessing { cache, transform in
        cache.postProcessed { key, value in (try? transform(key, value)) ?? value }
      }, as: ["postProcessing.composition", "postProcessing.definition"])
  }

  func testATransformerThatIsNotUsed() {
    expectCaught(
      "notUsed",
      by: .transforming { cache, _ in cache }, as: "postProcessing.keys", alone: true)
  }

  func testAKeyedMapThatWritesWithoutTheKey() {
    expectCaught(
      "forgetsTheKey",
      by: .keyedValues { cache, decode, encode in
        cache.mapValues(decode: decode, encode: { _, value in try encode(0, value) })
      }, as: ["keyedValues.definition", "keyedValues.distribution"])
  }

  func testAKeyedMapThatStoresUnencodableValues() {
    expectCaught(
      "storesRaw",
      by: .keyedValues { cache, decode, encode in
        cache.mapValues(
          decode: decode, encode: { key, value in (try? encode(key, value)) ?? value })
      }, as: "keyedValues.definition", alone: true)
  }

  func testARecoveryThatIsStored() {
    expectCaught(
      "storesRecovered",
      by: .recovery { cache, transform in
        cache.recovering { key, error in
          let value = try transform(key, error)
          _ = cache.set(key, value)
          return value
        }
      }, as: "recovery.definition", alone: true)
  }

  func testARecoveryOfCancellations() {
    expectCaught(
      "recoversCancellation",
      by: .recovery { cache, transform in
        let get = cache.get
        return cache.asked { key in
          let answer = get(key)
          guard answer.outcome?.isCancelled == true else {
            return answer.recover { try transform(key, $0) }
          }
          return Promise(catching: { try transform(key, CacheError.notFound) })
        }
      }, as: ["recovery.identity", "recovery.sum"])
  }

  func testARecoveryThatKeepsTheFirstError() {
    expectCaught(
      "keepsTheFirstError",
      by: .recovery { cache, transform in
        cache.recovering { key, error in
          do { return try transform(key, error) } catch { throw CacheError.notFound }
        }
      }, as: ["recovery.identity", "recovery.composition"])
  }
}

extension Promise {
  fileprivate init(catching body: () throws -> Value) {
    do { self.init(try body()) } catch { self.init(error: error) }
  }
}

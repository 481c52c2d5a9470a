import Strata
import StrataLaws

/// Checks that the laws catch verbs that create their state inside the closure of `transforming`. Such
/// state belongs to one handle of a cache, and each observer makes another handle.
final class HandleFaultTests: FaultCase {
  private static func level(
    _ operations: CacheOperations<Int, Stamped<Int>>
  ) -> Cache<Int, Stamped<Int>> {
    Cache(
      get: operations.get, set: operations.set, remove: operations.remove, clear: operations.clear)
  }

  func testARefreshWhoseLoadsBelongToOneHandle() {
    expectCaught(
      "loads of one handle",
      by: .refresh { levels, freshness, fetcher, time in
        levels.clocked(by: time).transforming("refreshing") { operations in
          let inner = Self.level(operations).clocked(by: time)
          return inner.refreshing(freshness, from: fetcher).operations
        }
      }, as: "refresh.once")
  }

  func testAnAbsenceThatOneHandleRemembers() {
    expectCaught(
      "absences of one handle",
      by: .loader { levels, freshness, loader, time in
        levels.clocked(by: time).transforming("refreshing") { operations in
          let inner = Self.level(operations).clocked(by: time)
          return inner.refreshing(freshness, from: loader).operations
        }
      }, as: "loader.absent")
  }

  func testTagsThatOneHandleRemembers() {
    expectCaught(
      "tags of one handle",
      by: .tags { clock in
        let tags = Tags(clock: clock)
        return TagSystem(mark: { tags.mark($0, $1) }) { cache, function in
          cache.transforming("tagged") { operations in
            let values = Box<[Int: Int]>([:])
            var noting = operations
            noting.set = { key, entry in
              values.update { $0[key] = entry.value }
              return operations.set(key, entry)
            }
            return Self.level(noting).clocked(by: clock).tagged(by: tags) { key, _ in
              values.value[key].map { function(key, $0) } ?? []
            }.operations
          }
        }
      }, as: "tags.visible")
  }

  func testADeadlineThatOneHandleRemembers() {
    var verbs = ExpiryVerbs()
    verbs.after = { level, lifetime, time in
      level.clocked(by: time).expiring(after: lifetime).transforming("remembering") { operations in
        let ends = Box<[Int: TimeSource.Instant]>([:])
        var result = operations
        result.set = { key, value in
          ends.update { $0[key] = time.now().advanced(by: lifetime) }
          return operations.set(key, value)
        }
        result.get = { key in
          if let end = ends.value[key], time.now() >= end {
            return Promise(error: CacheError.notFound)
          }
          return operations.get(key)
        }
        return result
      }
    }
    expectCaught("deadlines of one handle", by: .expiry(verbs), as: "time.definition")
  }

  func testAWindowOfOneHandle() {
    expectCaught(
      "a window of one handle",
      by: .bulkLoads { window, limit, time, load in
        Fetcher<Int, Int> { key in Promise(key) }.transforming("batching") { _ in
          Fetcher<Int, Int>.bulkLoading(
            window: .milliseconds(window), limit: limit, clock: time, load
          ).operations
        }
      }, as: "batching.calls")
  }
}

// # Your own verb
//
// A verb is a function that returns a cache with changed operations. This page defines two verbs,
// and uses the laws to check that the verbs have no unintended effects. To run the code on this
// page, use `swift run page-your-own-verb`.

import Foundation
import Strata
import StrataLaws

// To change only the operation `get`, a verb uses `transformingGet`. All other operations reach the
// cache unchanged.
extension Cache {
  /// Returns a cache that treats a value as a miss if the value fails a check.
  func checked(_ isSound: @escaping @Sendable (Value) -> Bool) -> Cache {
    transformingGet("checked") { get in { key in get(key).filter(isSound) } }
  }
}

/// The number of writes to a cache. A lock guards the number.
final class WriteCount: @unchecked Sendable {
  private let lock = NSLock()
  private var writes = 0

  func add() { lock.withLock { writes += 1 } }
  var value: Int { lock.withLock { writes } }
}

// A verb that changes write operations must return a `CacheOperations` value that contains all
// operations. If an operation is missing, the code doesn't compile. The closure that you pass to
// `transforming` can run several times, for example once for each observer. Create the verb's state
// outside of this closure.
extension Cache {
  /// Returns a cache whose writes are counted.
  func counted(by count: WriteCount) -> Cache {
    transforming("counted") { below in
      CacheOperations(
        get: below.get,
        set: { key, value in
          count.add()
          return below.set(key, value)
        },
        remove: { key in
          count.add()
          return below.remove(key)
        },
        clear: {
          count.add()
          return below.clear()
        },
        memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad)
    }
  }
}

let count = WriteCount()
let shelf: Cache<String, String> = .dictionary()
let pages =
  shelf.named("shelf").counted(by: count).checked { !$0.isEmpty }
  + Fetcher { key in "page \(key)" }

// The plan shows both verbs. Observers still receive the events of the stage `shelf`, which is
// below the verbs.
print(pages.plan)
precondition("\(pages.plan)".contains("named(\"shelf\").counted().checked()"))
let statistics = CacheStatistics()
let seen = pages.observed(by: statistics.observer)

try await seen.set("", for: "a")  // The value is stored, but the check treats it as absent.
let page = try await seen.value(for: "a")  // The value comes from the fetcher, and is back-filled.
print("\(page), after \(count.value) writes")
precondition(page == "page a" && count.value == 2)
precondition(statistics.snapshot["shelf"]?.hits == 1, "The stage should count one hit.")

// A check that accepts every value must not change the behavior of a cache. The laws run random
// programs with and without the verb, and compare the results.
try Laws.check(.transparent("checked") { $0.checked { _ in true } })
try Laws.check(.transparent("counted") { $0.counted(by: WriteCount()) })
print("both verbs change nothing else")

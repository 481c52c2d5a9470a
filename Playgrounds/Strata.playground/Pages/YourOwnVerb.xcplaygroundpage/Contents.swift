// # Your own verb
//
// A verb is a function that returns a cache with changed operations. This page writes two, and
// checks with the laws that they change nothing else. Run it with `swift run page-your-own-verb`.

import Foundation
import Strata
import StrataLaws

// A verb about gets transforms one function. All other operations reach the cache unchanged.
extension Cache {
  /// Returns a cache that treats values that fail a check as absent.
  func checked(_ isSound: @escaping @Sendable (Value) -> Bool) -> Cache {
    transformingGet("checked") { get in { key in get(key).filter(isSound) } }
  }
}

/// Counts the writes of a cache. Its lock guards the count.
final class WriteCount: @unchecked Sendable {
  private let lock = NSLock()
  private var writes = 0

  func add() { lock.withLock { writes += 1 } }
  var value: Int { lock.withLock { writes } }
}

// A verb about writes returns all operations. The compiler rejects a verb that drops an operation.
// The state is created outside of the closure, because the closure runs again for each observer.
extension Cache {
  /// Returns this cache with its writes counted.
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
        forget: below.forget)
    }
  }
}

let count = WriteCount()
let shelf: Cache<String, String> = .dictionary()
let pages =
  shelf.named("shelf").counted(by: count).checked { !$0.isEmpty }
  + Fetcher { key in "page \(key)" }

// The plan shows both verbs, and observers see the stage below them.
print(pages.plan)
precondition("\(pages.plan)".contains("named(\"shelf\").counted().checked()"))
let statistics = Statistics()
let seen = pages.observed(by: statistics.observer)

try await seen.set("", for: "a").value  // Stored, but absent for the check.
let page = try await seen.value(for: "a")  // From the fetcher, and back-filled.
print("\(page), after \(count.value) writes")
precondition(page == "page a" && count.value == 2)
precondition(statistics.snapshot["shelf"]?.hits == 1, "The stage had the empty value.")

// A check that accepts every value changes nothing: the laws compare both caches on random programs.
try Laws.check(.transparent("checked") { $0.checked { _ in true } })
try Laws.check(.transparent("counted") { $0.counted(by: WriteCount()) })
print("both verbs change nothing else")

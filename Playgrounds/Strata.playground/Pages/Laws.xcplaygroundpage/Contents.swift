// # Laws
//
// Your own level must obey the laws of a level, and `StrataLaws` checks them.
// Run this page with `swift run page-laws`.

import Foundation
import Strata
import StrataLaws

// A shelf stores strings under the letters and digits of their keys.
final class Shelf: @unchecked Sendable {  // The lock guards the values.
  private let lock = NSLock()
  private var held: [String: String] = [:]
  private let fileName: @Sendable (String) -> String

  init(fileName: @escaping @Sendable (String) -> String) { self.fileName = fileName }

  var cache: Cache<String, String> {
    Cache(
      get: { key in
        guard let value = self.lock.withLock({ self.held[self.fileName(key)] }) else {
          throw CacheError.notFound
        }
        return value
      },
      set: { key, value in self.lock.withLock { self.held[self.fileName(key)] = value } },
      remove: { key in self.lock.withLock { self.held[self.fileName(key)] = nil } },
      clear: { self.lock.withLock { self.held = [:] } })
  }
}

// One line checks the shelf. It checks reads, keys, removals, order, and the histories of three
// clients on separate threads.
print("letters and digits:")
do {
  try Laws.check(
    .level("shelf") {
      Shelf { key in key.filter { $0.isLetter || $0.isNumber } }.cache
    })
  preconditionFailure("two keys share a file name, and no law has noticed")
} catch let violation as LawViolation {
  // The violation shows two keys that share an entry, with as few operations as possible.
  print(violation)
  precondition(violation.operations <= 6)
}

// The same seed finds the same violation. STRATA_SEED sets the seed, and STRATA_CASES sets the
// number of cases.

// If the shelf uses the whole key, it obeys the laws, even after a memory warning.
try Laws.check(.level("shelf", isPersistent: true) { Shelf { $0 }.cache })
print("the whole key: every law holds")

// This line checks your own verb. A transparent verb must not change the behavior of a cache.
try Laws.check(.transparent("twice named") { $0.named("inner").named("outer") })

// Your own law is a value with a name, a statement, a sentence, and two closures that must build
// equivalent caches.
let law = Law("mine.order", "a + b == b + a", "It does not matter which level is above.") {
  $0[0] + $0[1]
} is: {
  $0[1] + $0[0]
}
print("\n\(law)")
print(law.violation().map { "does not hold, as \($0.operations) operations show" } ?? "holds")

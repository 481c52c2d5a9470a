// # Laws
//
// A custom level must obey the laws for levels. `StrataLaws` checks these laws. To run the code on
// this page, use `swift run page-laws`.

import Foundation
import Strata
import StrataLaws

// A level that simulates a directory, with one string in each file. The closure `fileName` returns
// the file name for a key.
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

// One call to `Laws.check` verifies that the shelf reads, writes, and removes values correctly, and
// doesn't confuse keys. `Laws.check` also runs concurrent operations of three clients on separate
// threads.
print("letters and digits:")
do {
  try Laws.check(
    .level("shelf") {
      Shelf { key in key.filter { $0.isLetter || $0.isNumber } }.cache
    })
  preconditionFailure("two keys share a file name, but no law reports this fault")
} catch let violation as LawViolation {
  // The violation contains a program with few operations, which shows that two keys share an entry.
  print(violation)
  precondition(violation.operations <= 6)
}

// If you repeat a check with the same seed, the check finds the same violation. The environment
// variables STRATA_SEED and STRATA_CASES set the seed and the number of cases.

// A shelf that uses the whole key as the file name obeys the laws. The argument
// `isPersistent: true` states that the shelf keeps its values after a memory warning.
try Laws.check(.level("shelf", isPersistent: true) { Shelf { $0 }.cache })
print("the whole key: every law holds")

// This line checks that a verb is transparent: the verb must not change the behavior of a cache.
try Laws.check(.transparent("twice named") { $0.named("inner").named("outer") })

// To define a law, pass a name, the law in symbols, the law in words, and two closures. The law
// holds if the two closures build equivalent caches.
let law = Law("mine.order", "a + b == b + a", "It does not matter which level is above.") {
  $0[0] + $0[1]
} is: {
  $0[1] + $0[0]
}
print("\n\(law)")
print(law.violation().map { "does not hold, as \($0.operations) operations show" } ?? "holds")

// # Promise
//
// One answer, now or later. A promise is eager: its work has begun when you hold it; it settles
// once, and who asks late is still told. Run this page with `swift run page-promise`.

import Strata

// An answer that is there needs no waiting, and no allocation.
let three = Promise(3)
precondition(three.outcome?.value == 3)

// One that comes later is made of a function, an async closure, or a continuation.
let (time, clock) = TimeSource.manual()
let late = Promise(20).delayed(by: .seconds(3600), on: time)
precondition(late.outcome == nil)
clock.advance(by: .seconds(3600))  // An hour passes, at once.
print("after an hour: \(try await late.value)")

let asked = Promise { try await Task.sleep(for: .milliseconds(5)) }.map { "slept" }
print(try await asked.value)

let given = Promise<String> { continuation in continuation.succeed("called back") }
print(try await given.value)

// Promises are put together: one after another, beside each other, or whichever is first.
let sum = try await Promise(20).flatMap { half in Promise(half + 1) }.map { $0 * 2 }.value
precondition(sum == 42)
let both = try await Promise(1).zip(Promise("one")).value
precondition(both == (1, "one"))
let squares = try await Promise.traverse(1...5) { Promise($0 * $0) }.value
print("squares: \(squares)")

// A failure is passed on until somebody answers it; a miss is a failure of which `isMiss` is true.
let broken = Promise<Int>(error: CacheError.notFound)
let healed = try await broken.recover { error in error.isMiss ? Promise(0) : broken }.value
precondition(healed == 0)

// Retrying makes the work anew, since a promise cannot be run again.
let counter = Counter()
let stubborn = Promise.retry(3, every: .zero) {
  counter.next() < 3 ? Promise<String>(error: CacheError.timedOut) : Promise("the third time")
}
print("answered \(try await stubborn.value)")

// Who waits has an interest. When the last one is withdrawn, the work beneath is cancelled.
let stopped = Counter()
let work = Promise(1).delayed(by: .seconds(3600), on: time).onCancel { _ = stopped.next() }
let (one, other) = (work.map { $0 }, work.map { $0 })
one.cancel()
precondition(stopped.count == 0)  // The other still wants it.
other.cancel()
precondition(stopped.count == 1)
print("cancelled with the last who wanted it")

// A hundred thousand links are resolved in a loop, not on the stack.
let chain = (0..<100_000).reduce(Promise(0).delayed(by: .seconds(1), on: time)) { chain, _ in
  chain.map { $0 + 1 }
}
clock.advance(by: .seconds(1))
print("a chain of \(try await chain.value) links")

/// Counts from one on.
final class Counter: @unchecked Sendable {  // Its state is reached on one thread alone, here.
  private(set) var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

// # Promise
//
// A promise represents a result that is available now or later. A promise is eager: its work has
// already begun when you receive the promise. A promise settles once. A listener is called even if
// it is added after the promise has settled. To run the code on this page, use `swift run
// page-promise`.

import Strata

// A promise that is created with a value is settled from the start, and needs no memory allocation.
let three = Promise(3)
precondition(three.outcome?.value == 3)

// A pending promise can come from a method such as `delayed`, an async closure, or a continuation.
let (clock, time) = TimeSource.manual()
let late = Promise(20).delayed(by: .seconds(3600), clock: clock)
precondition(late.outcome == nil)
time.advance(by: .seconds(3600))  // An hour passes immediately.
print("after an hour: \(try await late.value)")

let slept = Promise { try await Task.sleep(for: .milliseconds(5)) }.map { "slept" }
print(try await slept.value)

let given = Promise<String> { continuation in continuation.succeed("called back") }
print(try await given.value)

// You can combine promises in sequence or in parallel.
let sum = try await Promise(20).flatMap { half in Promise(half + 1) }.map { $0 * 2 }.value
precondition(sum == 42)
let squares = try await Promise.all((1...5).map { Promise($0 * $0) }).value
print("squares: \(squares)")

// An error propagates until `recover` handles it. A miss is an error whose `isMiss` is true.
let broken = Promise<Int>(error: CacheError.notFound)
let healed = try await broken.recover { error in error.isMiss ? Promise(0) : broken }.value
precondition(healed == 0)

// A promise runs its work only once. To try again, `retrying` gets a new promise for each attempt.
let counter = Counter()
let stubborn = Fetcher<Int, String> { _ in
  counter.next() < 3 ? Promise(error: CacheError.timedOut()) : Promise("the third time")
}.retrying(3)
print("answered \(try await stubborn.value(for: 1))")

// Each waiting caller holds an *interest* in the promise, which keeps the promise's work running.
// When the last caller withdraws its interest, the work is cancelled.
let stopped = Counter()
let work = Promise(1).delayed(by: .seconds(3600), clock: clock).onCancel { _ = stopped.next() }
let (one, other) = (work.map { $0 }, work.map { $0 })
one.cancel()
precondition(stopped.count == 0)  // `other` still holds an interest.
other.cancel()
precondition(stopped.count == 1)
print("cancelled with the last interest")

// A chain of a hundred thousand promises settles in a loop, so the chain doesn't overflow the
// stack.
let chain = (0..<100_000).reduce(Promise(0).delayed(by: .seconds(1), clock: clock)) { chain, _ in
  chain.map { $0 + 1 }
}
time.advance(by: .seconds(1))
print("a chain of \(try await chain.value) links")

/// A counter that starts at zero.
final class Counter: @unchecked Sendable {  // Only one thread uses the counter.
  private(set) var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

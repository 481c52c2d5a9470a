// # Pool and friends
//
// Verbs are functions that return caches. For example, verbs can share or limit loads, choose
// levels, and handle failures. To run the code on this page, use `swift run page-pool-and-friends`.

import Foundation
import Strata

// The log records each call to the origin, in order.
let log = Log()
let origin = Fetcher<Int, String> { number in
  log.note("\(number)")
  try await Task.sleep(for: .milliseconds(20))
  guard number >= 0 else { throw CacheError.timedOut() }
  return String(repeating: "I", count: number)
}

// For overlapping gets of the same key, a pool runs only one load.
let pooled = Cache<Int, String>.memory() + origin.pooled()
let answers = try await Promise.all((0..<100).map { _ in pooled.get(5) }).value
precondition(answers.count == 100 && log.take() == ["5"])
print("100 gets, one load: \(pooled.plan)")

// If a load fails, a pool reports the error to all waiting gets, but doesn't remember the error.
for failing in [pooled.get(-1), pooled.get(-1)] { _ = try? await failing.value }
precondition(log.take() == ["-1"])
_ = try? await pooled.value(for: -1)
precondition(log.take() == ["-1"])
print("a pool shares an error, and forgets it")

// At most two gets run at a time. Further gets wait, and then run in the order in which they were
// called.
let limited = origin.limited(toConcurrentGets: 2)
_ = try await Promise.all((1...6).map { limited.get($0) }).value
precondition(Set(log.take()) == ["1", "2", "3", "4", "5", "6"])
print("two at a time: \(limited.plan)")

// A condition decides whether a get reaches a level. If the condition is false, the get is a miss
// in that level.
let polite = Cache<Int, String>.memory() + origin.conditioned { number in number < 100 }
let absent = try await polite.findValue(for: 500)
precondition(absent == nil && log.take().isEmpty)
print("not called: \(polite.plan)")

// This pipeline retries after a failure, and returns a substitute value if the last attempt fails
// too.
let patient =
  origin
  .retrying(2)
  .recovering { number, error in
    guard !error.isMiss else { throw error }
    return "minus \(-number)"
  }
let minus = try await patient.value(for: -4)
precondition(minus == "minus 4" && log.take() == ["-4", "-4", "-4"])
print("three attempts, and then another value: \(patient.plan)")

// Each key belongs to one of two branches.
let (even, odd) = (Cache<Int, String>.memory(), Cache<Int, String>.memory())
let branches = Cache.switching(even, odd) { number in number.isMultiple(of: 2) ? .first : .second }
try await branches.set("two", for: 2)
let (inEven, inOdd) = (try await even.findValue(for: 2), try await odd.findValue(for: 2))
precondition(inEven == "two" && inOdd == nil)
print("branches: \(branches.plan)")

// `postProcessed` changes the value of each get, but not the value that `pooled` stores.
let loud = pooled.postProcessed { (_: Int, text: String) throws -> String in text.lowercased() + "!"
}
print(
  "postprocessed: \(try await loud.value(for: 3)), stored as \(try await pooled.value(for: 3))")

/// Lines of text, in order.
final class Log: @unchecked Sendable {  // The lock guards the lines.
  private let lock = NSLock()
  private var lines: [String] = []

  func note(_ line: String) { lock.withLock { lines.append(line) } }

  func take() -> [String] {
    lock.withLock {
      defer { lines = [] }
      return lines
    }
  }
}

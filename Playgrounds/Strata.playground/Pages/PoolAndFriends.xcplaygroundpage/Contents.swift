// # Pool and friends
//
// Verbs go from cache to cache: who shares a load, who waits, who is asked at all, and what becomes
// of a failure. Run this page with `swift run page-pool-and-friends`.

import Foundation
import Strata

// What the origin is asked, in order.
let log = Log()
let origin = Fetcher<Int, String> { number in
  log.note("\(number)")
  try await Task.sleep(for: .milliseconds(20))
  guard number >= 0 else { throw CacheError.timedOut }
  return String(repeating: "I", count: number)
}

// A pool: one load for each key, however many ask while it runs.
let pooled = Cache<Int, String>.memory() + origin.pooled()
let answers = try await Promise.all((0..<100).map { _ in pooled.get(5) }).value
precondition(answers.count == 100 && log.take() == ["5"])
print("100 gets, one load: \(pooled.plan)")

// A pool shares an error with those who wait, and does not remember it.
for failing in [pooled.get(-1), pooled.get(-1)] { _ = try? await failing.value }
precondition(log.take() == ["-1"])
_ = try? await pooled.value(for: -1)
precondition(log.take() == ["-1"])
print("an error is shared, and not kept")

// At most two at once; the rest wait in the order in which they came.
let limited = origin.limited(toConcurrentGets: 2)
_ = try await Promise.all((1...6).map { limited.get($0) }).value
precondition(Set(log.take()) == ["1", "2", "3", "4", "5", "6"])
print("two at a time: \(limited.plan)")

// A condition decides whether a level is asked; a level that is not asked is a miss.
let polite = Cache<Int, String>.memory() + origin.conditioned { number in number < 100 }
let absent = try await polite.find(500)
precondition(absent == nil && log.take().isEmpty)
print("not asked: \(polite.plan)")

// Failures: try again, answer in its stead, or give up in time.
let patient =
  origin
  .retrying(2)
  .recovering { number, error in
    guard !error.isMiss else { throw error }
    return "minus \(-number)"
  }
let minus = try await patient.value(for: -4)
precondition(minus == "minus 4" && log.take() == ["-4", "-4", "-4"])
print("three attempts, and then an answer of its own: \(patient.plan)")

// Two lanes: each key is in one of them.
let (even, odd) = (Cache<Int, String>.memory(), Cache<Int, String>.memory())
let lanes = Cache.switching(even, odd) { number in number.isMultiple(of: 2) ? .first : .second }
try await lanes.set("two", for: 2).value
let (inEven, inOdd) = (try await even.find(2), try await odd.find(2))
precondition(inEven == "two" && inOdd == nil)
print("lanes: \(lanes.plan)")

// On the way out: never stored.
let loud = pooled.postProcessed { (_: Int, text: String) throws -> String in text.lowercased() + "!"
}
print(
  "on the way out: \(try await loud.value(for: 3)), stored as \(try await pooled.value(for: 3))")

/// What has happened, in order.
final class Log: @unchecked Sendable {  // Its lines are reached under the lock alone.
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

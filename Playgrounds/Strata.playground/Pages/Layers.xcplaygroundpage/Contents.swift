// # Layers
//
// A cache is a value, and the operator `+` combines two caches into one. To run the code on this
// page, use `swift run page-layers`.

import Strata

// The pipeline consists of a memory level and an origin, which is slower but has every value.
let memory: Cache<Int, String> = .memory(capacity: 100)
let origin = Fetcher<Int, String> { number in
  print("  the origin loads \(number)")
  return String(repeating: "I", count: number)
}

// The sum reads from the upper level first, and copies values from the lower level to the upper
// level.
let numerals = memory + origin
print("\(numerals.plan)")  // memory(100) + fetcher

print("cold:")
print("  3 is \(try await numerals.value(for: 3))")
print("warm:")
print("  3 is \(try await numerals.value(for: 3))")  // The origin isn't called.

// A write reaches every level that stores values. The origin ignores writes.
try await numerals.set("three", for: 3)
let written = try await memory.value(for: 3)
precondition(written == "three")

// For a miss, `find` returns nil.
let absent = try await memory.findValue(for: 99)
precondition(absent == nil)

// Parentheses don't change a sum, and adding the empty cache has no effect.
let far: Cache<Int, String> = .memory(capacity: 10_000)
precondition(((memory + far) + origin).plan == (memory + (far + origin)).plan)
precondition((.empty + memory + .empty).plan == memory.plan)

// For overlapping gets of the same key, a pool runs only one load.
let pooled = memory + origin.pooled()
async let first = pooled.value(for: 5)
async let second = pooled.value(for: 5)
let both = try await [first, second]
print("both waiters got \(both)")

// You can create a level from a few functions. A read-only level needs only one.
let shout = Fetcher<Int, String> { number in
  guard number < 0 else { throw CacheError.notFound }
  return "below zero!"
}
print("\(try await (shout + numerals).value(for: -1))")

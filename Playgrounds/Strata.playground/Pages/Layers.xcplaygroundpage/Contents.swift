// # Layers
//
// A cache is a value, and caches add up. Run this page with `swift run page-layers`.

import Strata

// A level in memory, and below it something slower that knows every answer.
let memory: Cache<Int, String> = .memory(capacity: 100)
let origin = Fetcher<Int, String> { number in
  print("  the origin is asked for \(number)")
  return String(repeating: "I", count: number)
}

// The sum asks the upper level first, and fills it with what it finds below.
let numerals = memory + origin
print("\(numerals.plan)")  // memory(100) + fetcher

print("cold:")
print("  3 is \(try await numerals.value(for: 3))")
print("warm:")
print("  3 is \(try await numerals.value(for: 3))")  // the origin is not asked

// A write reaches every level; the origin, which is for reading only, lets it pass.
try await numerals.set("three", for: 3).value
let written = try await memory.value(for: 3)
precondition(written == "three")

// A miss is not an accident: `find` answers it with nil.
let absent = try await memory.find(99)
precondition(absent == nil)

// However you bracket a sum, it is the same cache, and the empty cache changes nothing.
let far: Cache<Int, String> = .memory(capacity: 10_000)
precondition(((memory + far) + origin).plan == (memory + (far + origin)).plan)
precondition((.empty + memory + .empty).plan == memory.plan)

// One load for each key, however many ask at the same time.
let pooled = memory + origin.pooled()
async let first = pooled.value(for: 5)
async let second = pooled.value(for: 5)
let both = try await [first, second]
print("both waiters got \(both)")

// A level of your own is a few functions; one that only reads is one.
let shout = Cache<Int, String>(
  get: { number in
    guard number < 0 else { throw CacheError.notFound }
    return "below zero!"
  })
print("\(try await (shout + numerals).value(for: -1))")

// # Time
//
// A stamped value contains its creation time, so a copy in another level has the same age. To run
// the code on this page, use `swift run page-time`. This page uses a virtual clock, so the code
// never waits.

import Strata

let (clock, time) = TimeSource.manual()
let start = time.now

// To keep the age of a value across levels, let the levels store stamped values, and apply
// `expiring` to their sum. `expiring` uses the clock of the levels.
let near: Cache<String, Stamped<String>> = .memory(capacity: 10, clock: clock)
let far: Cache<String, Stamped<String>> = .memory(capacity: 1000, clock: clock)
let notes = (near + far).expiring(after: .seconds(60))
print("\(notes.plan)")  // (memory(10) + memory(1000)).expiring(after: 60 s)

try await notes.set("milk", for: "shopping")
time.advance(by: .seconds(50))
try await near.removeAll()  // Now only `far` has the value. The back-fill keeps the age.
let promoted = try await notes.value(for: "shopping")
precondition(promoted == "milk")
time.advance(by: .seconds(10))
let expired = try await notes.findValue(for: "shopping")
print("after 60 s: \(expired ?? "a miss")")
precondition(expired == nil)

// A get returns a fresh value without a refresh. A get returns a stale value immediately, and a
// refresh runs in the background. In the `staleIfError` window, a get waits for a refresh, and
// returns the stale value only if the refresh fails. A get never returns an expired value.
struct Unreachable: Error {}
let isReachable = Switch()
final class Switch: @unchecked Sendable { var isOn = true }  // This page uses only one thread.

let origin = Fetcher<String, String> { key in
  guard isReachable.isOn else { throw Unreachable() }
  return "\(key) of second \(second())"
}

/// Returns the time since the start of this page, in seconds.
func second() -> Int { Int(start.duration(to: clock.now()) / .seconds(1)) }
let life = Freshness(
  for: .seconds(60), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(3600))
let stamped: Cache<String, Stamped<String>> = .memory(clock: clock)
let news = stamped.refreshing(life, from: origin)

func show(_ note: String) async throws -> String? {
  let stage = stamped.get("news").outcome?.value.map { "\(life.stage(of: $0, at: clock.now()))" }
  let answer: String?
  do { answer = try await news.findValue(for: "news") } catch is Unreachable { answer = nil }
  print("second \(second()), \(note): found \(stage ?? "nothing"), answered \(answer ?? "nothing")")
  return answer
}

let first = try await show("the first time")
time.advance(by: .seconds(59))
let fresh = try await show("a little later")
precondition(fresh == first)

time.advance(by: .seconds(1))
let stale = try await show("a minute old: the stale value, and a refresh in the background")
precondition(stale == first)
let refreshed = try await show("and again")
precondition(refreshed != first)

isReachable.isOn = false
time.advance(by: .seconds(1800))
let onError = try await show("the origin is down")
precondition(onError == refreshed)
time.advance(by: .seconds(3600))
let expiredNews = try await show("the origin is still down")
precondition(expiredNews == nil)
isReachable.isOn = true
let recovered = try await show("it is back")
precondition(recovered != nil)

// A level of a sum can have its own maximum age, which applies to reads from that level.
let bounded = (near.aged(atMost: .seconds(5)) + far).expiring(after: .seconds(60))
try await bounded.set("bread", for: "shopping")
_ = far.set("shopping", Stamped("butter", storedAt: time.now))  // Another client writes.
let before = try await bounded.value(for: "shopping")
time.advance(by: .seconds(5))
let after = try await bounded.value(for: "shopping")
print("\(before), and five seconds later \(after)")
precondition(before == "bread" && after == "butter")

// A screen can show the cached value immediately, and then the fresh value. `updating` delivers
// both values.
let screen = news.updating(from: origin)
print("\(screen.plan)")
for try await update in screen.values("news") {
  print("  \(update.source): \(update.value)")
}

// Write through `screen.cache`, so that an in-flight read can't replace the written value.
try await screen.cache.set("written", for: "news")
let draft = try await news.value(for: "news")
print("  written: \(draft)")
precondition(draft == "written")

// A cache can also remember a miss for a limited time, or until a `set` stores a value for the key.
let calls = Counter()
final class Counter: @unchecked Sendable { var count = 0 }  // This page uses only one thread.
let rare = Fetcher<Int, String> { _ in
  calls.count += 1
  throw CacheError.notFound
}.rememberingMisses(for: .seconds(30), clock: clock)
for _ in 1...100 { _ = try await rare.findValue(for: 404) }
print("a hundred misses, and the origin was called \(calls.count) time")
precondition(calls.count == 1)

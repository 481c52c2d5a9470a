// # Time
//
// Age is part of the value, so it survives promotion from level to level. Run this page with
// `swift run page-time`; its clock is virtual, and hours pass in no time.

import Strata

let (time, clock) = TimeSource.manual()
let start = clock.now

// Levels that share an age hold stamped values, and are summed before `expiring`. All have one
// clock.
let near: Cache<String, Stamped<String>> = .memory(capacity: 10, on: time)
let far: Cache<String, Stamped<String>> = .memory(capacity: 1000, on: time)
let notes = (near + far).expiring(after: .seconds(60), on: time)
print("\(notes.plan)")  // (memory(10) + memory(1000)).expiring(after: 60 s)

try await notes.set("milk", for: "shopping").value
clock.advance(by: .seconds(50))
near.removeAll()  // Only the far level has it now, and promotion does not make it young again.
let promoted = try await notes.value(for: "shopping")
precondition(promoted == "milk")
clock.advance(by: .seconds(10))
let expired = try await notes.find("shopping")
print("after 60 s: \(expired ?? "a miss")")
precondition(expired == nil)

// A value's life: fresh, then stale (answered at once while a refresh runs), then stale on error
// (answered if the refresh fails), then dead.
struct Unreachable: Error {}
let isReachable = Switch()
final class Switch: @unchecked Sendable { var isOn = true }  // This page has one thread.

let origin = Fetcher<String, String> { key in
  guard isReachable.isOn else { throw Unreachable() }
  return "\(key) of second \(second())"
}

/// How many seconds have passed since the page began.
func second() -> Int { Int(start.duration(to: time.now()) / .seconds(1)) }
let life = Freshness(
  for: .seconds(60), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(3600))
let stamped: Cache<String, Stamped<String>> = .memory(on: time)
let news = stamped.refreshing(life, from: origin, on: time)

func show(_ note: String) async throws -> String? {
  let stage = stamped.get("news").outcome?.value.map { "\(life.stage(of: $0, at: time.now()))" }
  let answer: String?
  do { answer = try await news.find("news") } catch is Unreachable { answer = nil }
  print("second \(second()), \(note): found \(stage ?? "nothing"), answered \(answer ?? "nothing")")
  return answer
}

let first = try await show("the first time")
clock.advance(by: .seconds(59))
let fresh = try await show("a little later")
precondition(fresh == first)

clock.advance(by: .seconds(1))
let stale = try await show("a minute old: the old one at once, a refresh behind it")
precondition(stale == first)
let refreshed = try await show("and again")
precondition(refreshed != first)

isReachable.isOn = false
clock.advance(by: .seconds(1800))
let onError = try await show("the origin is down")
precondition(onError == refreshed)
clock.advance(by: .seconds(3600))
let dead = try await show("the origin is still down")
precondition(dead == nil)
isReachable.isOn = true
let recovered = try await show("it is back")
precondition(recovered != nil)

// A level of a sum may have a bound of its own; the least one wins where it is read.
let bounded = (near.maxAge(.seconds(5), on: time) + far).expiring(after: .seconds(60), on: time)
try await bounded.set("bread", for: "shopping").value
far.set(Stamped("butter", storedAt: clock.now), for: "shopping")  // Somebody else knows better.
let before = try await bounded.value(for: "shopping")
clock.advance(by: .seconds(5))
let after = try await bounded.value(for: "shopping")
print("\(before), and five seconds later \(after)")
precondition(before == "bread" && after == "butter")

// Both at once, for a screen: what is cached, and then what is fresh.
let screen = news.forwarding(to: origin)
print("\(screen.plan)")
for try await update in screen.values("news") {
  print("  \(update.source): \(update.value)")
}

// A miss can be remembered too, and a set ends it.
let asked = Counter()
final class Counter: @unchecked Sendable { var count = 0 }  // This page has one thread.
let rare = Cache<Int, String>(get: { _ in
  asked.count += 1
  throw CacheError.notFound
}).rememberingMisses(for: .seconds(30), on: time)
for _ in 1...100 { _ = try await rare.find(404) }
print("a hundred misses, and the origin was asked \(asked.count) time")
precondition(asked.count == 1)

// # Keys and values
//
// Key maps are on the left of a level, and codecs are on the right: `key <^> level <*> codec`. Run
// this page with `swift run page-keys-and-values`.

import Foundation
import Strata

struct Planet: Codable, Sendable, Equatable {
  var name: String
  var moons: Int
}

// Like a disk level, this level has strings as keys and bytes as values.
let bytes: Cache<String, Data> = .memory(capacity: 1 << 20, cost: .bytes)

// `<^>` maps the keys of the calls, and `<*>` maps the values that the level returns. The level
// still stores bytes.
let planets: Cache<URL, Planet> = \.absoluteString <^> bytes <*> .json()
print("\(planets.plan)")  // keys <^> memory(1 MiB) <*> json

guard let mars = URL(string: "https://planets.example/mars") else {
  preconditionFailure("this is a URL")
}
try await planets.set(Planet(name: "Mars", moons: 2), for: mars).value
print(String(decoding: try await bytes.value(for: mars.absoluteString), as: UTF8.self))

// `>>>` joins codecs, and binds tighter than `<*>`, so the expression needs no parentheses.
let notes: Cache<URL, Data> = \.absoluteString <^> bytes <*> .utf8 >>> .base64
try await notes.set(Data([1, 2, 3]), for: mars).value
let stored = try await bytes.value(for: mars.absoluteString)
precondition(stored == Data("AQID".utf8))

// The level `planets` can't decode the record that `notes` stored, so this level fails. The origin
// returns the value, which replaces the record.
let origin = Fetcher<URL, Planet> { _ in Planet(name: "Mars", moons: 2) }
let healing = planets + origin
print("read again from \(healing.plan): \(try await healing.value(for: mars))")
let healed = try await planets.value(for: mars)
precondition(healed == Planet(name: "Mars", moons: 2))

// Two nested key maps equal one composed key map, whose function first applies the function of the
// outer key map.
let upper = { @Sendable (text: String) in text.uppercased() }
let short = { @Sendable (text: String) in String(text.prefix(3)) }
let twice = short <^> (upper <^> bytes)
let once = { @Sendable (text: String) in upper(short(text)) } <^> bytes
try await twice.set(Data("x".utf8), for: "saturn").value
let found = try await once.value(for: "saturn")
precondition(found == Data("x".utf8))
print("both caches read \(try await bytes.value(for: "SAT").count) byte for the key SAT")

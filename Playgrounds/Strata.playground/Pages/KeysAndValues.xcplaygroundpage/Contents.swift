// # Keys and values
//
// Write a key map to the left of a level, and a codec to the right: `key <^> level <*> codec`. To
// run the code on this page, use `swift run page-keys-and-values`.

import Foundation
import Strata

struct Planet: Codable, Sendable, Equatable {
  var name: String
  var moons: Int
}

// Like a disk level, this level has strings as keys and bytes as values.
let bytes: Cache<String, Data> = .memory(capacity: .bytes(1 << 20))

// `<^>` converts each key to a string, and `<*>` converts between values and bytes. The level still
// stores bytes.
let planets: Cache<URL, Planet> = \.absoluteString <^> bytes <*> .json()
print("\(planets.plan)")  // keys <^> memory(1 MiB) <*> json

guard let mars = URL(string: "https://planets.example/mars") else {
  preconditionFailure("this is a URL")
}
try await planets.set(Planet(name: "Mars", moons: 2), for: mars)
print(String(decoding: try await bytes.value(for: mars.absoluteString), as: UTF8.self))

// `>>>` joins codecs, and binds tighter than `<*>`, so the expression needs no parentheses.
let notes: Cache<URL, Data> = \.absoluteString <^> bytes <*> .utf8 >>> .base64
try await notes.set(Data([1, 2, 3]), for: mars)
let stored = try await bytes.value(for: mars.absoluteString)
precondition(stored == Data("AQID".utf8))

// `planets` can't decode the record that `notes` stored, so a get from `planets` fails. The sum
// `healing` therefore loads the value from the origin, and replaces the record.
let origin = Fetcher<URL, Planet> { _ in Planet(name: "Mars", moons: 2) }
let healing = planets + origin
print("read again from \(healing.plan): \(try await healing.value(for: mars))")
let healed = try await planets.value(for: mars)
precondition(healed == Planet(name: "Mars", moons: 2))

// Two nested key maps have the same effect as one key map with the composed function. The function
// of the outer key map is applied first.
let upper = { @Sendable (text: String) in text.uppercased() }
let short = { @Sendable (text: String) in String(text.prefix(3)) }
let twice = short <^> (upper <^> bytes)
let once = { @Sendable (text: String) in upper(short(text)) } <^> bytes
try await twice.set(Data("x".utf8), for: "saturn")
let found = try await once.value(for: "saturn")
precondition(found == Data("x".utf8))
print("both caches read \(try await bytes.value(for: "SAT").count) byte for the key SAT")

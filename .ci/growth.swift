// Reads random keys of a memory level, or of a dictionary under one lock. `.ci/growth` counts the
// instructions of the functions whose names begin with `measured`.
//
// Arguments: level or dictionary, Int or String, the number of entries, and the number of hits.

import Foundation
import StrataCore

/// The same baseline as in `strata-tool bench`.
final class LockedDictionary<Key: Hashable, Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var values: [Key: Value] = [:]

  init() { pthread_mutex_init(mutex, nil) }

  subscript(key: Key) -> Value? {
    get {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return values[key]
    }
    set {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      values[key] = newValue
    }
  }
}

nonisolated(unsafe) var sum = 0

@inline(never)
func measuredLevel(_ get: @Sendable (Int) -> Promise<Int>, _ keys: [Int]) {
  for key in keys { if case .success(let value)? = get(key).outcome { sum &+= value } }
}

@inline(never)
func measuredLevel(_ get: @Sendable (String) -> Promise<Int>, _ keys: [String]) {
  for key in keys { if case .success(let value)? = get(key).outcome { sum &+= value } }
}

@inline(never)
func measuredDictionary(_ dictionary: LockedDictionary<Int, Int>, _ keys: [Int]) {
  for key in keys { if let value = dictionary[key] { sum &+= value } }
}

@inline(never)
func measuredDictionary(_ dictionary: LockedDictionary<String, Int>, _ keys: [String]) {
  for key in keys { if let value = dictionary[key] { sum &+= value } }
}

/// Returns a key of 37 bytes.
func text(_ number: Int) -> String {
  "https://example.org/pages/" + String(10_000_000_000 + number)
}

let (subject, type) = (CommandLine.arguments[1], CommandLine.arguments[2])
let (count, hits) = (Int(CommandLine.arguments[3])!, Int(CommandLine.arguments[4])!)
var size = 1
while size < count { size *= 2 }

// Successive numbers are far apart, and each occurs about equally often.
let numbers = (0..<hits).map { ((($0 & (size - 1)) &* 0x9E37_79B1) & (size - 1)) % count }
switch (subject, type) {
case ("level", "Int"):
  let level: Cache<Int, Int> = .memory(capacity: .count(2 * count))
  for number in 0..<count { _ = level.set(number, number) }
  for number in 0..<count { sum &+= level.get(number).outcome?.value ?? 0 }
  measuredLevel(level.get, numbers)
case ("dictionary", "Int"):
  let dictionary = LockedDictionary<Int, Int>()
  for number in 0..<count { dictionary[number] = number }
  measuredDictionary(dictionary, numbers)
case ("level", _):
  let level: Cache<String, Int> = .memory(capacity: .count(2 * count))
  for number in 0..<count { _ = level.set(text(number), number) }
  for number in 0..<count { sum &+= level.get(text(number)).outcome?.value ?? 0 }
  measuredLevel(level.get, numbers.map(text))
default:
  let dictionary = LockedDictionary<String, Int>()
  for number in 0..<count { dictionary[text(number)] = number }
  measuredDictionary(dictionary, numbers.map(text))
}
print(sum)

import Foundation
import Strata
import StrataLaws

/// Wrong levels and verbs that were written without a look at the other planted faults. Each names
/// the law that must find it, or none if any law of its group will do.
enum WrongLevels {
  typealias Row = (name: String, laws: Laws, law: String?)

  static let all: [Row] =
    keys + values + storage + bounded + races + verbs + lifetimes + reopened + large + logs + others

  private static func named<Key: LawSample & Hashable, Name: Hashable & Sendable>(
    _ name: String, _ map: @escaping @Sendable (Key) -> Name
  ) -> Row { (name, .named(map), "level.keys") }

  private static let keys: [Row] = [
    named("a tab as a space") { (key: String) in
      key.replacingOccurrences(of: "\t", with: " ")
    },
    named("names without their newlines") { (key: String) in
      key.trimmingCharacters(in: .newlines)
    },
    named("ten characters and the length") { (key: String) in "\(key.prefix(10))\(key.count)" },
    named("the sum of the bytes") { (key: String) in key.utf8.reduce(0) { $0 + Int($1) } },
    named("the characters in order") { (key: String) in String(key.sorted()) },
    named("escapes in one case") { (key: String) in
      key.replacingOccurrences(of: "%2f", with: "%2F")
    },
    named("a plus as a space") { (key: String) in key.replacingOccurrences(of: "+", with: " ") },
    named("letters without accents") { (key: String) in
      let scalars = key.decomposedStringWithCanonicalMapping.unicodeScalars
      return scalars.filter { !(0x300...0x36f).contains($0.value) }.map(\.value)
    },
    named("names without a last dot") { (key: String) in
      key.hasSuffix(".") ? String(key.dropLast()) : key
    },
    named("the bytes of a text") { (key: String) in Data(key.utf8) },
    named("numbers of one byte") { (key: Int) in UInt8(truncatingIfNeeded: key) },
    named("numbers without their sign") { (key: Int) in key.magnitude },
    named("half of the bits") { (key: Double) in Float(key).bitPattern },
    named("times in milliseconds") { (key: Date) in
      Int(key.timeIntervalSinceReferenceDate * 1000)
    },
    named("bytes as a text") { (key: Data) in String(decoding: key, as: UTF8.self) },
    named("URLs without their query") { (key: URL) in
      key.absoluteString.prefix { $0 != "?" }.description
    },
    named("URLs without their scheme") { (key: URL) in
      key.absoluteString.replacingOccurrences(of: "https:", with: "http:")
    },
    named("half of a UUID") { (key: UUID) in String(key.uuidString.prefix(18)) },
  ]

  private static func stored<Value: LawSample, Stored: Sendable>(
    _ name: String, _ encode: @escaping @Sendable (Value) -> Stored,
    _ decode: @escaping @Sendable (Stored) -> Value
  ) -> Row {
    (
      name,
      .level { Draft<Int, Stored>().cache <*> Codec(decode: { decode($0) }, encode: encode) },
      "level.values"
    )
  }

  private static let values: [Row] = [
    stored("texts without spaces at their ends") { (text: String) in
      text.trimmingCharacters(in: .whitespaces)
    } _: {
      $0
    },
    stored("texts of the basic plane") { (text: String) in
      text.unicodeScalars.filter { $0.value <= 0xffff }.map(\.value)
    } _: { scalars in
      String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    },
    stored("numbers of 32 bits") { (number: Int) in
      Int32(truncatingIfNeeded: number)
    } _: {
      Int($0)
    },
    stored("numbers as fractions") { (number: Int) in
      Double(number)
    } _: {
      Int(exactly: $0) ?? 0
    },
    stored("zero for infinity") { (number: Double) in
      number.isFinite ? number : 0
    } _: {
      $0
    },
    stored("times in whole milliseconds") { (date: Date) in
      (date.timeIntervalSinceReferenceDate * 1000).rounded()
    } _: {
      Date(timeIntervalSinceReferenceDate: $0 / 1000)
    },
    stored("bytes without padding") { (data: Data) in
      data.last == 0 ? data.dropLast() : data
    } _: {
      Data($0)
    },
    stored("lengths of two bytes") { (data: Data) in
      data.prefix(65_535)
    } _: {
      Data($0)
    },
    stored("the two ends of a text") { (text: String) in
      text.utf8.count > 1000 ? String(text.prefix(500) + text.suffix(500)) : text
    } _: {
      $0
    },
  ]

  private static let storage: [Row] = [
    (
      "a set that shows removed keys",
      .wrong { draft, held in
        let hidden = Box<Set<Int>>([])
        let (get, set) = (draft.get, draft.set)
        draft.get = { key in try found(hidden.value.contains(key) ? nil : get(key)) }
        draft.set = { key, value in
          hidden.value = []
          try set(key, value)
        }
        draft.remove = { key in hidden.update { _ = $0.insert(key) } }
      }, "level.removing"
    ),
    (
      "a clear that forgets one key",
      .wrong { draft, held in
        draft.clear = { held.update { held in held = held.filter { $0.key == held.keys.max() } } }
      }, "level.removing"
    ),
    (
      "a clear of small levels only",
      .wrong { draft, held in
        draft.clear = { held.update { if $0.count < 1000 { $0 = [:] } } }
      }, "level.size"
    ),
    (
      "a get that takes the value away",
      .wrong { draft, held in
        draft.get = { key in try found(held.update { $0.removeValue(forKey: key) }) }
      }, "level.keeping"
    ),
    (
      "a set of two keys",
      .wrong { draft, held in
        draft.set = { key, value in
          held.update { held in
            held[key] = value
            held[key ^ 1] = value
          }
        }
      }, "level.reading"
    ),
    (
      "a lost sixty-fourth set",
      .wrong { draft, held in
        let count = Box(0)
        let set = draft.set
        draft.set = { key, value in
          count.value += 1
          if count.value % 64 != 0 { try set(key, value) }
        }
      }, "level.keeping"
    ),
    (
      "a set of the same value that removes it",
      .wrong { draft, held in
        draft.set = { key, value in held.update { $0[key] = $0[key] == value ? nil : value } }
      }, "level.values"
    ),
    (
      "an error after a clear",
      .wrong { draft, held in
        let isCleared = Box(false)
        let (get, set) = (draft.get, draft.set)
        draft.get = { key in
          if isCleared.value { throw CacheError.timedOut() }
          return try get(key)
        }
        draft.set = { key, value in
          isCleared.value = false
          try set(key, value)
        }
        draft.clear = {
          held.value = [:]
          isCleared.value = true
        }
      }, "level.absence"
    ),
    (
      "a clear in a task",
      .wrong { draft, held in draft.clear = { Task { held.value = [:] } } }, "level.visibility"
    ),
  ]
}

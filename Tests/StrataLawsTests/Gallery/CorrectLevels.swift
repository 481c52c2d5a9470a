import Foundation
import Strata
import StrataLaws

/// Correct levels, verbs, and fetchers that no law may report.
enum CorrectLevels {
  typealias Row = (name: String, laws: Laws)

  static let all: [Row] = plain + bounded + special + verbs

  /// Returns a level whose values live for a minute. The closure `mistake` may replace its functions.
  static func lived(
    _ time: TimeSource,
    _ mistake: (
      inout Draft<Int, Int>, TimeSource, Box<[Int: (value: Int, end: TimeSource.Instant)]>
    ) -> Void = { _, _, _ in }
  ) -> Cache<Int, Int> {
    let held = Box<[Int: (value: Int, end: TimeSource.Instant)]>([:])
    var draft = Draft<Int, Int>()
    draft.get = { key in
      try found(held.value[key].flatMap { time.now() < $0.end ? $0.value : nil })
    }
    draft.set = { key, value in
      held.update { $0[key] = (value, time.now().advanced(by: .seconds(60))) }
    }
    draft.remove = { key in held.update { $0[key] = nil } }
    draft.clear = { held.value = [:] }
    mistake(&draft, time, held)
    return draft.cache
  }

  /// Returns the laws of a level in a dictionary that outlives it. When it is opened again, `restore`
  /// changes its values.
  static func reopened(_ restore: @escaping @Sendable ([Int: Int]) -> [Int: Int]) -> Laws {
    let places = Box<[String: Box<[Int: Int]>]>([:])
    return .level(
      cleanUp: { place in places.update { $0[place] = nil } },
      reopening: { place in
        let held = places.update { places in
          let held = places[place] ?? Box([:])
          places[place] = held
          return held
        }
        held.update { $0 = restore($0) }
        return Draft(holding: held).cache
      })
  }

  private static func dictionary<Key: LawSample & Hashable, Value: LawSample>(
    _: Key.Type, _: Value.Type
  ) -> Laws { .level { Draft<Key, Value>().cache } }

  private enum Size: CaseIterable, LawSample { case small, medium, large }

  private static let plain: [Row] = [
    ("numbers", dictionary(Int.self, Int.self)), ("texts", dictionary(String.self, String.self)),
    ("bytes", dictionary(Data.self, Data.self)), ("URLs", dictionary(URL.self, Int.self)),
    ("fractions", dictionary(Double.self, Double.self)),
    ("dates", dictionary(Date.self, Date.self)),
    ("UUIDs", dictionary(UUID.self, UUID.self)), ("two keys", dictionary(Bool.self, Bool.self)),
    ("three keys", dictionary(Size.self, Size.self)),
    (
      "names of hexadecimal digits",
      .named { (key: String) in
        key.precomposedStringWithCanonicalMapping.utf8.map { String($0, radix: 16) }
          .joined(separator: "-")
      }
    ),
    (
      "a queue for all operations",
      .level {
        let (queue, held) = (DispatchQueue(label: "level"), Box<[Int: Int]>([:]))
        var draft = Draft<Int, Int>(holding: held)
        let (get, set) = (draft.get, draft.set)
        draft.get = { key in try queue.sync { try get(key) } }
        draft.set = { key, value in try queue.sync { try set(key, value) } }
        draft.remove = { key in queue.sync { held.update { $0[key] = nil } } }
        draft.clear = { queue.sync { held.value = [:] } }
        return draft.cache
      }
    ),
    (
      "a set that fails for long texts",
      .level {
        var draft = Draft<String, Int>()
        let set = draft.set
        draft.set = { key, value in
          if key.utf8.count > 200 { throw CacheError.timedOut() }
          try set(key, value)
        }
        return draft.cache
      }
    ),
    (
      "a warning that removes everything",
      .wrong { draft, held in draft.warn = { held.value = [:] } }
    ),
    (
      "a warning that removes some values",
      .wrong { draft, held in
        draft.warn = { held.update { held in held = held.filter { $0.key % 3 > 0 } } }
      }
    ),
    ("a warning without an effect", .wrong(isPersistent: true) { _, _ in }),
  ]

  private static func evicting(
    _ room: Int, _ evict: @escaping @Sendable (inout [Int: Int], _ key: Int) -> Void
  ) -> Laws {
    .wrong(keeps: .upTo(room)) { draft, held in
      draft.set = { key, value in
        held.update { held in
          if held[key] == nil, held.count >= room { evict(&held, key) }
          held[key] = value
        }
      }
    }
  }

  private static let bounded: [Row] = [
    ("room for one", evicting(1) { held, _ in held = [:] }),
    (
      "room for two, evicting any",
      evicting(2) { held, _ in held.removeValue(forKey: held.keys.first!) }
    ),
    ("room for three, evicting all", evicting(3) { held, _ in held = [:] }),
    (
      "room for five, evicting two",
      evicting(5) { held, _ in
        for key in held.keys.sorted().suffix(2) { held[key] = nil }
      }
    ),
    ("room for nothing", .level(keeps: .upTo(0)) { Cache<Int, Int>.empty }),
    (
      "a level that refuses new keys if it is full",
      .wrong(keeps: .upTo(3)) { draft, held in
        draft.set = { key, value in
          held.update { if $0[key] != nil || $0.count < 3 { $0[key] = value } }
        }
      }
    ),
    (
      "a level that loses every third set",
      .wrong(keeps: .nothing) { draft, held in
        let count = Box(0)
        draft.set = { key, value in
          let isLost = count.update { count in
            count += 1
            return count % 3 == 0
          }
          held.update { $0[key] = isLost ? nil : value }
        }
      }
    ),
    (
      "memory with the costs of values",
      .level(keeps: .upTo(2)) { Cache<Int, Int>.memory(capacity: .cost(2) { _ in 1 }) }
    ),
  ]

  private static let special: [Row] = [
    (
      "a sum of two levels",
      .level(consistency: .regular) { Draft<Int, Int>().cache + Draft<Int, Int>().cache }
    ),
    ("a level that is opened again", reopened { $0 }),
    ("a lifetime of a minute", .lifetime(.seconds(60)) { time in lived(time) }),
    (
      "two clients of one level",
      .shared {
        let level = Draft<String, Data>().cache
        return [level, level.observed { _ in }]
      }
    ),
    ("a fetcher", .fetcher(values: { (key: Int) in key & 7 }) { Fetcher { $0 & 7 } }),
  ]

  private static let verbs: [Row] = [
    ("the empty cache above", .transparent("verb") { .empty + $0 }),
    ("the empty cache below", .transparent("verb") { $0 + .empty }),
    ("a map of keys to themselves", .transparent("verb") { $0.mapKeys { $0 } }),
    ("a limit without a limit", .transparent("verb") { $0.limited(toConcurrentGets: .max) }),
    ("two observers", .transparent("verb") { $0.observed { _ in }.observed { _ in } }),
    ("a pool with a name", .pool { $0.pooled().named("a") }),
  ]
}

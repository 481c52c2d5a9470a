import Foundation
import Strata
import StrataLaws

/// Wrong levels with hundreds of values, and more mistakes in storage, values, and lifetimes. Those that
/// evict remove the largest key, because the first key of a dictionary is another one in each case.
extension WrongLevels {
  private static func evicting(
    _ name: String, _ room: Int, as law: String,
    _ set:
      @escaping @Sendable (inout [Int: Int], _ lost: inout Int, _ key: Int, _ value: Int) -> Void,
    remove: @escaping @Sendable (inout [Int: Int], _ lost: inout Int, _ key: Int) -> Void = {
      $0[$2] = nil
    }
  ) -> Row {
    (
      name,
      .wrong(keeps: .upTo(room)) { draft, held in
        let lost = Box(0)
        draft.set = { key, value in
          held.update { held in lost.update { set(&held, &$0, key, value) } }
        }
        draft.remove = { key in held.update { held in lost.update { remove(&held, &$0, key) } } }
        draft.clear = { held.update { held in lost.update { (held, $0) = ([:], 0) } } }
      }, law
    )
  }

  static let large: [Row] = [
    evicting("an overwrite that evicts from 500", 500, as: "level.size") { held, _, key, value in
      if held.count >= 500, let old = held.keys.filter({ $0 != key }).max() { held[old] = nil }
      held[key] = value
    },
    evicting("500 with removed keys that take room", 500, as: "level.size") {
      held, removed, key, value in
      if held[key] == nil, held.count + removed >= 500, let old = held.keys.max() {
        held[old] = nil
      }
      held[key] = value
    } remove: { held, removed, key in
      if held.removeValue(forKey: key) != nil { removed += 1 }
    },
    evicting("room for 700 instead of 1000", 1000, as: "level.size") { held, _, key, value in
      if held[key] == nil, held.count >= 700, let old = held.keys.max() { held[old] = nil }
      held[key] = value
    },
    evicting("room for one more than 200", 200, as: "level.capacity") { held, _, key, value in
      if held[key] == nil, held.count > 200, let old = held.keys.max() { held[old] = nil }
      held[key] = value
    },
    (
      "a get that stores a value again",
      .wrong(keeps: .upTo(70)) { draft, held in
        draft.set = { key, value in
          held.update { held in
            if held[key] == nil, held.count >= 70, let old = held.keys.randomElement() {
              held[old] = nil
            }
            held[key] = value
          }
        }
        draft.get = { key in
          let value = try found(held.value[key])
          gap()
          held.update { $0[key] = value }
          return value
        }
      }, "level.isolation"
    ),
    (
      "ten evicted values that a get still finds",
      .wrong(keeps: .upTo(20)) { draft, held in
        let ghosts = Box<[(key: Int, value: Int)]>([])
        let get = draft.get
        draft.set = { key, value in
          held.update { held in
            ghosts.update { $0.removeAll { $0.key == key } }
            if held[key] == nil, held.count >= 20, let old = held.first {
              ghosts.update { $0 = ($0 + [(old.key, old.value)]).suffix(10) }
              held[old.key] = nil
            }
            held[key] = value
          }
        }
        draft.get = { key in try ghosts.value.first { $0.key == key }?.value ?? get(key) }
        draft.remove = { key in
          held.update { $0[key] = nil }
          ghosts.update { $0.removeAll { $0.key == key } }
        }
        draft.clear = {
          held.value = [:]
          ghosts.value = []
        }
      }, "level.capacity"
    ),
    (
      "a rehash that drops a key",
      .wrong { draft, held in
        draft.set = { key, value in
          held.update { held in
            held[key] = value
            if held.count == 512, let old = held.keys.min() { held[old] = nil }
          }
        }
      }, "level.size"
    ),
    (
      "a compaction that revives a removed key",
      .wrong(keeps: .nothing) { draft, held in
        let removed = Box<[Int: Int]>([:])
        draft.remove = { key in
          held.update { held in
            guard let value = held.removeValue(forKey: key) else { return }
            removed.update { $0[key] = value }
            guard removed.value.count == 256, let (key, value) = removed.value.first else { return }
            held[key] = value
            removed.value = [:]
          }
        }
      }, "level.size"
    ),
  ]

  private static func logged(
    _ name: String, _ restore: @escaping @Sendable ([(key: Int, value: Int?)]) -> [Int: Int]
  ) -> Row {
    let places = Box<[String: Box<[(key: Int, value: Int?)]>]>([:])
    return (
      name,
      .level(
        cleanUp: { place in places.update { $0[place] = nil } },
        reopening: { place in
          let log = places.update { places in
            let log = places[place] ?? Box([])
            places[place] = log
            return log
          }
          var draft = Draft<Int, Int>(holding: Box(restore(log.value)))
          let (set, remove, clear) = (draft.set, draft.remove, draft.clear)
          draft.set = { key, value in
            log.update { $0.append((key, value)) }
            try set(key, value)
          }
          draft.remove = { key in
            log.update { $0.append((key, nil)) }
            try remove(key)
          }
          draft.clear = {
            log.value = []
            try clear()
          }
          return draft.cache
        }), "level.reopening"
    )
  }

  private static func read(_ log: some Sequence<(key: Int, value: Int?)>) -> [Int: Int] {
    log.reduce(into: [:]) { $0[$1.key] = $1.value }
  }

  static let logs: [Row] = [
    logged("a log of its last hundred entries") { read($0.suffix(100)) },
    logged("a last removal that is not flushed") { log in
      read(log.last?.value == nil ? log.dropLast() : log[...])
    },
    logged("a log whose sets come last") { log in
      read(log.filter { $0.value == nil } + log.filter { $0.value != nil })
    },
  ]

  static let others: [Row] = [
    (
      "bytes without a newline at their end",
      .level {
        Draft<Int, Data>().cache
          <*> Codec(decode: { $0 }, encode: { $0.last == 10 ? $0.dropLast() : $0 })
      }, "level.values"
    ),
    (
      "times since 1970",
      .level {
        Draft<Int, Double>().cache
          <*> Codec(
            decode: { Date(timeIntervalSince1970: $0) }, encode: { $0.timeIntervalSince1970 })
      }, "level.values"
    ),
    (
      "a warning that swaps two values",
      .wrong(isPersistent: true) { draft, held in
        draft.warn = {
          held.update { held in
            let keys = held.keys.sorted()
            guard keys.count > 1 else { return }
            (held[keys[0]], held[keys[1]]) = (held[keys[1]], held[keys[0]])
          }
        }
      }, "level.reading"
    ),
    (
      "the last half of a UUID",
      .named { (key: UUID) in String(key.uuidString.suffix(18)) }, "level.keys"
    ),
    lived("a get that renews a value near its end", "lifetime.ended") { draft, time, held in
      draft.get = { key in
        let entry = try found(held.value[key])
        guard time.now() < entry.end else { throw CacheError.notFound }
        if time.now() >= entry.end.advanced(by: .milliseconds(-600)) {
          held.update { $0[key]?.end = time.now().advanced(by: .seconds(60)) }
        }
        return entry.value
      }
    },
    lived("a second of grace", "lifetime.ended") { draft, time, held in
      draft.get = { key in
        try found(
          held.value[key].flatMap {
            time.now() < $0.end.advanced(by: .seconds(1)) ? $0.value : nil
          })
      }
    },
  ]
}

import Foundation
import Strata
import StrataLaws

extension WrongLevels {
  static let bounded: [Row] = [
    (
      "room for one more",
      .wrong(keeps: .upTo(3)) { draft, held in
        draft.set = { key, value in
          held.update { held in
            if held[key] == nil, held.count > 3, let old = held.keys.first { held[old] = nil }
            held[key] = value
          }
        }
      }, "level.capacity"
    ),
    (
      "room for one less",
      .wrong(keeps: .upTo(3)) { draft, held in
        draft.set = { key, value in
          held.update { held in
            if held[key] == nil, held.count > 1, let old = held.keys.first { held[old] = nil }
            held[key] = value
          }
        }
      }, "level.keeping"
    ),
    (
      "an overwrite that evicts",
      .wrong(keeps: .upTo(4)) { draft, held in
        draft.set = { key, value in
          held.update { held in
            if held.count > 3, let old = held.keys.first(where: { $0 != key }) { held[old] = nil }
            held[key] = value
          }
        }
      }, "level.keeping"
    ),
    (
      "a warning that loses odd keys",
      .wrong(isPersistent: true) { draft, held in
        draft.warn = { held.update { held in held = held.filter { $0.key % 2 == 0 } } }
      }, "level.persistence"
    ),
    (
      "a warning that restores removed keys",
      .wrong { draft, held in
        let removed = Box<[Int: Int]>([:])
        draft.remove = { key in
          held.update { held in
            if let value = held.removeValue(forKey: key) { removed.update { $0[key] = value } }
          }
        }
        draft.warn = {
          let old = removed.value
          held.update { $0.merge(old) { value, _ in value } }
        }
      }, "level.linearizability"
    ),
  ]

  static let races: [Row] = [
    (
      "a remove of a copy",
      .wrong { draft, held in
        draft.remove = { key in
          var copy = held.value
          copy[key] = nil
          gap()
          held.value = copy
        }
      }, "level.isolation"
    ),
    (
      "a clear in two halves",
      .wrong { draft, held in
        draft.clear = {
          held.update { held in held = held.filter { $0.key % 2 == 0 } }
          gap()
          held.value = [:]
        }
      }, "level.clearing"
    ),
    (
      "a value in two halves",
      .level {
        let (upper, lower) = (Box<[Int: Int]>([:]), Box<[Int: Int]>([:]))
        var draft = Draft<Int, Int>()
        draft.get = { key in try found(upper.value[key]) * 4 + found(lower.value[key]) }
        draft.set = { key, value in
          upper.update { $0[key] = value / 4 }
          gap()
          lower.update { $0[key] = value % 4 }
        }
        draft.remove = { key in
          upper.update { $0[key] = nil }
          lower.update { $0[key] = nil }
        }
        draft.clear = {
          upper.value = [:]
          lower.value = [:]
        }
        return draft.cache
      }, "level.linearizability"
    ),
    (
      "writes in a queue, and reads beside it",
      .level {
        let queue = DispatchQueue(label: "writes")
        var draft = Draft<Int, Int>()
        let (held, set) = (draft.held, draft.set)
        draft.set = { key, value in
          queue.async {
            gap(); try? set(key, value)
          }
        }
        draft.remove = { key in queue.async { held.update { $0[key] = nil } } }
        draft.clear = { queue.async { held.value = [:] } }
        return draft.cache
      }, "level.visibility"
    ),
  ]

  static let verbs: [Row] = [
    (
      "a verb without a clear",
      .transparent("verb") { cache in
        Cache(
          get: cache.get, set: cache.set, remove: cache.remove, memoryWarning: cache.memoryWarning)
      }, "transparency.verb"
    ),
    (
      "a verb that warns twice",
      .transparent("verb") { cache in
        Cache(
          get: cache.get, set: cache.set, remove: cache.remove, clear: cache.clear,
          memoryWarning: {
            cache.memoryWarning()
            cache.memoryWarning()
          })
      }, nil
    ),
    (
      "a verb that remembers the last get",
      .transparent("verb") { cache in
        let last = Box<(key: Int, get: Promise<Int>)?>(nil)
        return Cache(
          get: { key in
            if let held = last.value, held.key == key { return held.get }
            let get = cache.get(key)
            last.value = (key, get)
            return get
          }, set: cache.set, remove: cache.remove, clear: cache.clear,
          memoryWarning: cache.memoryWarning)
      }, nil
    ),
    (
      "a verb that writes again after a failure",
      .transparent("verb") { cache in
        Cache(
          get: cache.get,
          set: { key, value in cache.set(key, value).recover { _ in cache.set(key, value) } },
          remove: cache.remove, clear: cache.clear, memoryWarning: cache.memoryWarning)
      }, nil
    ),
    ("a pool that should be transparent", .transparent("verb") { $0.pooled() }, nil),
    (
      "a limit that should be transparent",
      .transparent("verb") { $0.limited(toConcurrentGets: 1) }, nil
    ),
    ("a verb that drops writes", .transparent("verb") { $0.fetcher }, nil),
    ("a sum of the lower level first", .sum { $1 + $0 }, nil),
    ("a sum of the upper level only", .sum { upper, _ in upper }, nil),
    ("results in the wrong order", .outcomes { $0.outcomes(of: $1.reversed()) }, nil),
    (
      "a limit of one more",
      .limit { $0.limited(toConcurrentGets: $1 == .max ? $1 : $1 + 1) }, nil
    ),
    (
      "misses for twice the time",
      .misses { $0.rememberingMisses(for: $1 * 2, clock: $2) }, nil
    ),
    ("no pool", .pool { $0 }, nil),
  ]

  static func lived(
    _ name: String, _ law: String,
    _ mistake:
      @escaping @Sendable (
        inout Draft<Int, Int>, TimeSource, Box<[Int: (value: Int, end: TimeSource.Instant)]>
      ) -> Void
  ) -> Row {
    (
      name,
      .lifetime(.seconds(60)) { time in
        CorrectLevels.lived(time, mistake)
      }, law
    )
  }

  static let lifetimes: [Row] = [
    lived("a value at the instant of its end", "lifetime.ended") { draft, time, held in
      draft.get = { key in
        try found(held.value[key].flatMap { time.now() <= $0.end ? $0.value : nil })
      }
    },
    lived("a remove that renews the other values", "lifetime.ended") { draft, time, held in
      draft.remove = { key in
        let end = time.now().advanced(by: .seconds(60))
        held.update { held in
          held[key] = nil
          held = held.mapValues { ($0.value, end) }
        }
      }
    },
    lived("one end for all values", "lifetime.ended") { draft, time, held in
      draft.set = { key, value in
        let end = time.now().advanced(by: .seconds(60))
        held.update { held in
          held[key] = (value, end)
          held = held.mapValues { ($0.value, end) }
        }
      }
    },
    lived("a set that ends the other values", "lifetime.kept") { draft, time, held in
      draft.set = { key, value in
        held.value = [key: (value, time.now().advanced(by: .seconds(60)))]
      }
    },
  ]

  private static func reopened(
    _ name: String, _ restore: @escaping @Sendable ([Int: Int]) -> [Int: Int]
  ) -> Row {
    (name, CorrectLevels.reopened(restore), "level.reopening")
  }

  static let reopened: [Row] = [
    reopened("keys that are counted from one") { held in
      Dictionary(uniqueKeysWithValues: held.map { ($0.key &+ 1, $0.value) })
    },
    reopened("a lost last key") { held in held.filter { $0.key != held.keys.max() } },
    reopened("zero that counts as nothing") { held in held.filter { $0.value != 0 } },
    reopened("numbers without their sign") { held in
      held.mapValues { Int(truncatingIfNeeded: $0.magnitude) }
    },
  ]
}
